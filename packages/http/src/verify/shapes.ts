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

/** The account as its owner knows it, such as a wallet record that the caller stored at the registration. */
export interface KnownAccount {
  readonly walletAddress: string
  /** Address of the account factory, or of the delegate of an EIP-7702 account. */
  readonly factory: string
  readonly externallyOwnedAccount: string
  readonly salt: number
}

/** A position, as returned by `positions(tokenId)` of Uniswap's NonfungiblePositionManager. */
export interface KnownPosition {
  readonly token0: string
  readonly token1: string
  /** In millionths: 3000 is 0.3 %. */
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

/** Facts that the caller knows from other sources than the quote. */
export interface Trust {
  /** Decimals of the request's tokens, by address. Not necessary for the native token and its wrapped form. */
  readonly decimals?: Readonly<Record<string, number>>
  /** Paymasters that may charge a gas fee in the gas token. */
  readonly paymasters?: ReadonlyArray<string>
  /**
   * Receivers of `transactionFeePercent`: the project's treasury, and the operator's treasury if the operator has a
   * share.
   */
  readonly collectors?: ReadonlyArray<string>
  /** Maximum gas fee, in units of `payGasFeeToken`. */
  readonly maxGasFee?: string
  /**
   * Maximum bridge fee, in percent of the deposit, if the bridged amount is swapped on arrival. Default: 5. This fee
   * needs a limit, because the receiver gets the bridged amount if the swap fails.
   */
  readonly maxBridgeFeePercent?: number
  /** Minimum outputs of the swaps, or of a withdrawal, in units of `tokenOut`, in the request's order. */
  readonly minAmountsOut?: ReadonlyArray<string>
  /**
   * Decimal amount of `tokenIn` that the wallet's other open limit orders can still sell. The allowance for the order
   * book includes this amount.
   */
  readonly openOrders?: string
  /** Call formats of additional routers, by address. The public routers are built in. */
  readonly routers?: Readonly<Record<string, RouterKind>>
  /** Ids of Morpho Blue markets that are allowed in addition to the requested ones. */
  readonly markets?: ReadonlyArray<string>
  /** Positions by NFT id. Must include the position of the request. */
  readonly positions?: Readonly<Record<string, KnownPosition>>
  /**
   * Morpho Blue positions by market id. Necessary for MAX requests, because their amount does not follow from the
   * quote.
   */
  readonly loans?: Readonly<Record<string, KnownLoan>>
  /** The current time in Unix seconds. Default: the machine's clock. */
  readonly now?: number
  /** Maximum time until a signature expires, in seconds. Default: one hour. */
  readonly maxSeconds?: number
}

/** A difference between the quote and the request, or content that cannot be decoded. */
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

export type Report = (code: ProblemCode, path: string, message: string) => void
