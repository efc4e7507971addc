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

/** The account, as its owner knows it: a wallet of the registry, kept since its registration, is one. */
export interface KnownAccount {
  readonly walletAddress: string
  /** The implementation of the account's kind; for EIP-7702 the delegate. */
  readonly factory: string
  readonly externallyOwnedAccount: string
  readonly salt: number
}

/** A position, as `positions(tokenId)` of Uniswap's NonfungiblePositionManager tells of it. */
export interface KnownPosition {
  readonly token0: string
  readonly token1: string
  /** Millionths: 3000 is 0.3 %. */
  readonly fee: number
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint | string
}

/** A wallet's position in a market of Morpho Blue, as `position(id, wallet)` of its contract tells of it. */
export interface KnownLoan {
  readonly supplyShares: bigint | string
  readonly borrowShares: bigint | string
  /** Base units. */
  readonly collateral: bigint | string
}

/** Facts that the caller has from somewhere else than the answer. Nothing is assumed in place of those left out. */
export interface Trust {
  /** Decimals of the tokens that the request names. The chain's coin and its wrapped form need none. */
  readonly decimals?: Readonly<Record<string, number>>
  /** Paymasters that may take the gas token. */
  readonly paymasters?: ReadonlyArray<string>
  /** Collectors of `transactionFeePercent`: the project's treasury, and the operator's where it has a share. */
  readonly collectors?: ReadonlyArray<string>
  /** The most that gas may cost, in whole tokens of `payGasFeeToken`. */
  readonly maxGasFee?: string
  /**
   * The most that a bridge may keep of a deposit whose fill is swapped on arrival, in percent of the deposit. Default: 5. The
   * amount of the fill is what the receiver gets if that swap fails.
   */
  readonly maxBridgeFeePercent?: number
  /** Least to receive of each swap, or of a withdrawal, in whole tokens of `tokenOut`, in the order of the request. */
  readonly minAmountsOut?: ReadonlyArray<string>
  /** What other open limit orders of the wallet can still sell of `tokenIn`, in whole tokens: the allowance is for them, too. */
  readonly openOrders?: string
  /** More routers than the public ones that are known here, and how each reads its calls. */
  readonly routers?: Readonly<Record<string, RouterKind>>
  /** Ids of the markets of Morpho Blue that may be used, besides those that the request names. */
  readonly markets?: ReadonlyArray<string>
  /** Positions of the chain by the number of their NFT: the one that the request names must be among them. */
  readonly positions?: Readonly<Record<string, KnownPosition>>
  /** Positions at Morpho Blue by the market's id: what is asked for as MAX there is a number that only the chain tells. */
  readonly loans?: Readonly<Record<string, KnownLoan>>
  /** Unix seconds of now: the machine's clock when left out. */
  readonly now?: number
  /** The longest that anything to be signed may hold, in seconds: an hour when left out. */
  readonly maxSeconds?: number
}

/** One thing that is not as it was asked for, or that can't be read. */
export interface Problem {
  /** For programs. */
  readonly code: ProblemCode
  /** For people. */
  readonly message: string
  /** Where in the quote. */
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

/** Takes note of a problem. */
export type Report = (code: ProblemCode, path: string, message: string) => void
