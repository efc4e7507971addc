import type { components } from "../client/openapi.ts"
import type {
  AddLiquidityRequest,
  BatchQuote,
  BatchRequest,
  CreateLiquidityRequest,
  LendingQuote,
  LendingRequest,
  LiquidityQuote,
  RebalanceLiquidityRequest,
  SwapQuote,
  SwapRequest,
  TransferQuote,
  TransferRequest,
  WithdrawLiquidityRequest
} from "../client/resources.ts"
import type { RouterKind } from "./contracts.ts"

export type SignedOperation = components["schemas"]["SignedOperation"]

export type LiquidityRequest =
  | CreateLiquidityRequest
  | AddLiquidityRequest
  | WithdrawLiquidityRequest
  | RebalanceLiquidityRequest
export type AnyRequest = SwapRequest | TransferRequest | BatchRequest | LendingRequest | LiquidityRequest
export type AnyQuote = SwapQuote | TransferQuote | BatchQuote | LendingQuote | LiquidityQuote

/** The account as its owner knows it, such as a wallet record that was stored at its registration. */
export interface KnownAccount {
  readonly walletAddress: string
  /** The implementation of the account's kind, or the delegate of an EIP-7702 account. */
  readonly factory: string
  readonly externallyOwnedAccount: string
  readonly salt: number
}

/** A position, as returned by `positions(tokenId)` of Uniswap's NonfungiblePositionManager. */
export interface KnownPosition {
  readonly token0: string
  readonly token1: string
  /** Millionths: 3000 is 0.3 %. */
  readonly fee: number
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint | string
}

/** A wallet's position in a Morpho Blue market, as returned by `position(id, wallet)` of its contract. */
export interface KnownLoan {
  readonly supplyShares: bigint | string
  readonly borrowShares: bigint | string
  /** In base units. */
  readonly collateral: bigint | string
}

/** Facts that the caller knows from sources other than the quote. The verifier assumes nothing about omitted facts. */
export interface Trust {
  /** Decimals of the request's tokens. They are not needed for the native token and its wrapped form. */
  readonly decimals?: Readonly<Record<string, number>>
  /** Paymasters that may charge the gas token. */
  readonly paymasters?: ReadonlyArray<string>
  /** Receivers of `transactionFeePercent`: the project's treasury, and the operator's if it has a share. */
  readonly collectors?: ReadonlyArray<string>
  /** The maximum gas cost, in whole tokens of `payGasFeeToken`. */
  readonly maxGasFee?: string
  /**
   * The maximum bridge fee for a deposit whose fill is swapped on arrival, in percent of the deposit. Default: 5. If
   * the swap fails, the receiver gets the fill, so this fee must be bounded.
   */
  readonly maxBridgeFeePercent?: number
  /** Minimum outputs of the swaps, or of a withdrawal, in whole tokens of `tokenOut`, in the request's order. */
  readonly minAmountsOut?: ReadonlyArray<string>
  /**
   * The amount of `tokenIn` that the wallet's other open limit orders can still sell, in whole tokens. The allowance
   * includes this amount.
   */
  readonly openOrders?: string
  /** Routers in addition to the built-in public ones, with their call format. */
  readonly routers?: Readonly<Record<string, RouterKind>>
  /** Ids of allowed Morpho Blue markets in addition to the requested ones. */
  readonly markets?: ReadonlyArray<string>
  /** Positions by NFT id. The requested position must be included. */
  readonly positions?: Readonly<Record<string, KnownPosition>>
  /** Morpho Blue positions by market id, for MAX requests, whose amount does not follow from the quote. */
  readonly loans?: Readonly<Record<string, KnownLoan>>
  /** The current time in Unix seconds. Default: the machine's clock. */
  readonly now?: number
  /** Maximum validity of a signature in seconds. Default: one hour. */
  readonly maxSeconds?: number
}

/** A difference from the request, or a part that cannot be decoded. */
export interface Problem {
  /** Machine-readable. */
  readonly code: ProblemCode
  /** Human-readable. */
  readonly message: string
  /** The path of the field in the quote. */
  readonly path: string
}

export type ProblemCode =
  | "unreadable"
  | "unknown_account"
  | "unknown_decimals"
  | "wrong_wallet"
  | "wrong_chain"
  | "wrong_entry_point"
  | "wrong_nonce"
  | "wrong_deployment"
  | "wrong_delegate"
  | "wrong_hash"
  | "wrong_signing"
  | "wrong_echo"
  | "wrong_preview"
  | "wrong_deadline"
  | "wrong_paymaster"
  | "gas_too_high"
  | "unknown_call"
  | "unknown_hook"
  | "unknown_spender"
  | "allowance_remains"
  | "pays_somebody_else"
  | "pays_too_much"
  | "pays_too_little"
  | "gives_too_little"
  | "left_in_router"
  | "unknown_market"
  | "unknown_position"
  | "wrong_position"
  | "wrong_price"

/** Records a problem. */
export type Report = (code: ProblemCode, path: string, message: string) => void
