import type { Bytes } from "./bytes.ts"
import type { LenderKind } from "./contracts.ts"
import type { LendingAction } from "./LendingAct.ts"
import type { OpenPosition } from "./ledger.ts"
import type { Pair } from "./liquidityMath.ts"
import type { PoolName } from "./PositionAct.ts"
import type { Ticks } from "./prices.ts"

/** A common format of all requests. */

/** One element of the request: a transfer, or a swap with the quote's output. Amounts are in base units. */
export interface Element {
  readonly tokenIn: Bytes
  readonly amount: bigint
  readonly to: Bytes
  /** The part of the amount that pays percentage fees, rounded down. */
  readonly serviceFee: bigint
  readonly extraFee: { readonly to: Bytes; readonly amount: bigint } | null
  readonly deductsGas: boolean
  /** Null for a transfer. A deposit into a position has no receiver. */
  readonly out: { readonly token: Bytes; readonly minAmount: bigint } | "POSITION" | null
}

/** The legs of a lending operation. */
export interface LendingTerms {
  readonly kind: LenderKind
  readonly legs: ReadonlyArray<{
    readonly action: LendingAction
    readonly token: Bytes
    /** Base units. MAX means the whole balance or debt. */
    readonly amount: bigint | "MAX"
    /** The amount in the quote. */
    readonly shown: bigint
    /** The side of a Morpho Blue market; null if not specified. */
    readonly isCollateral: boolean | null
    /** The requested market; null if any market is allowed. */
    readonly marketId: Bytes | null
    /** Whether gas is deducted from the amount of this leg. */
    readonly bearsGas: boolean
  }>
  /** The market in the quote; null if the quote has none. */
  readonly shownMarket: Bytes | null
  /** Ids of the allowed markets. */
  readonly markets: ReadonlySet<Bytes>
  /**
   * The wallet's whole balance on a side of a Morpho Blue market: shares, or base units of collateral; null if unknown.
   */
  readonly allOf: (marketId: Bytes, side: "SUPPLY" | "DEBT" | "COLLATERAL") => bigint | null
}

/** A withdrawal from a position. */
export interface Taking {
  readonly tokenId: bigint
  readonly ticks: Ticks
  /** The amount of liquidity to withdraw, and whether it is the whole position. */
  readonly liquidity: bigint
  readonly isAll: boolean
  /** The quote's figures; null if the quote has none. */
  readonly shown: {
    readonly liquidity: bigint | null
    readonly burned: boolean | null
    readonly removed: Pair
    readonly collected: Pair
  }
}

/** A deposit into a position. */
export interface Placing {
  /** Null for a new position. */
  readonly tokenId: bigint | null
  readonly recipient: Bytes
  readonly pool: PoolName
  readonly isRange: (ticks: Ticks) => boolean
  /** The ticks of the existing position; null for a new position. */
  readonly ticks: Ticks | null
  readonly createsPool: boolean
  /** Converts a Q64.96 square root to a price in whole tokens, in the request's token order. */
  readonly priceOf: (root: bigint) => number
  /** The quote's figures, in the pool's token order. */
  readonly shown: Ticks & { readonly liquidity: bigint; readonly amounts: Pair; readonly leftovers: Pair }
}

/** The payout of a withdrawal. */
interface Payout {
  readonly to: Bytes
  readonly token: Bytes
  readonly minAmount: bigint
}

/** The parts of an operation on a position. Each part is null if absent. */
export interface LiquidityTerms {
  readonly manager: Bytes
  /** The position of a withdrawal. */
  readonly open: OpenPosition | null
  readonly taking: Taking | null
  readonly placing: Placing | null
  readonly payout: Payout | null
  /** Fees in percent of the withdrawn amounts. For a deposit they are paid before it. */
  readonly shares: { readonly service: number; readonly extra: { readonly to: Bytes; readonly percent: number } | null }
  /** In percent. */
  readonly slippage: number
}

/** A request of any kind, in the common format. */
export interface Terms {
  readonly chainId: number
  readonly wallet: Bytes
  readonly gasToken: Bytes
  /** The destination chain; absent for a same-chain request. */
  readonly chainIdOut?: number
  readonly elements: ReadonlyArray<Element>
  /** Null for operations without lending. */
  readonly lending: LendingTerms | null
  readonly liquidity: LiquidityTerms | null
  /** The maximum gas cost in the quote: in whole native tokens, and in whole tokens of the gas token. */
  readonly shownGas: { readonly coin: string; readonly token: string }
  /** Quote fields that repeat the request: quoted value, requested value, path. */
  readonly echoes: ReadonlyArray<{ readonly path: string; readonly said: unknown; readonly requestedValue: unknown }>
}
