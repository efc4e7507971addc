import type { Bytes } from "./bytes.ts"
import type { LenderKind } from "./contracts.ts"
import type { LendingAction } from "./LendingAct.ts"
import type { OpenPosition } from "./ledger.ts"
import type { Pair } from "./liquidityMath.ts"
import type { PoolName } from "./PositionAct.ts"
import type { Ticks } from "./prices.ts"

/** A common format of all requests. */

/** One element of the request: a transfer, or a swap with the quote's promise. Amounts are in base units. */
export interface Element {
  readonly tokenIn: Bytes
  readonly amount: bigint
  readonly to: Bytes
  /** The part of the amount for percentage fees, rounded down. */
  readonly serviceFee: bigint
  readonly extraFee: { readonly to: Bytes; readonly amount: bigint } | null
  readonly deductsGas: boolean
  /** Null for a transfer. A deposit into a position has no receiver. */
  readonly out: { readonly token: Bytes; readonly least: bigint } | "POSITION" | null
}

/** The legs of a lending operation. */
export interface LendingTerms {
  readonly kind: LenderKind
  readonly legs: ReadonlyArray<{
    readonly action: LendingAction
    readonly token: Bytes
    /** Base units; MAX means the whole balance or debt. */
    readonly amount: bigint | "MAX"
    /** The amount in the quote. */
    readonly shown: bigint
    /** The side of a Morpho Blue market; null if not specified. */
    readonly isCollateral: boolean | null
    /** The requested market; null for any. */
    readonly marketId: Bytes | null
    /** Whether gas is deducted from its amount. */
    readonly bearsGas: boolean
  }>
  /** The market in the quote; null if it has none. */
  readonly shownMarket: Bytes | null
  /** Ids of the allowed markets. */
  readonly markets: ReadonlySet<Bytes>
  /**
   * The wallet's whole balance on a side of a Morpho Blue market: shares, or base units of collateral; null if not
   * known.
   */
  readonly allOf: (marketId: Bytes, side: "SUPPLY" | "DEBT" | "COLLATERAL") => bigint | null
}

/** A withdrawal from a position. */
export interface Taking {
  readonly tokenId: bigint
  readonly ticks: Ticks
  /** The amount of liquidity, and whether it is all. */
  readonly liquidity: bigint
  readonly isAll: boolean
  /** The quote's figures; null if it has none. */
  readonly shown: {
    readonly liquidity: bigint | null
    readonly burned: boolean | null
    readonly removed: Pair
    readonly collected: Pair
  }
}

/** A deposit into a position. */
export interface Placing {
  /** Null for a new one. */
  readonly tokenId: bigint | null
  readonly recipient: Bytes
  readonly pool: PoolName
  readonly isRange: (ticks: Ticks) => boolean
  /** The existing position; null for a new one. */
  readonly ticks: Ticks | null
  readonly createsPool: boolean
  /** A Q64.96 square root as a price in whole tokens, in the request's token order. */
  readonly priceOf: (root: bigint) => number
  /** The quote's figures, in the pool's token order. */
  readonly shown: Ticks & { readonly liquidity: bigint; readonly amounts: Pair; readonly leftovers: Pair }
}

/** The payout of a withdrawal. */
interface Payout {
  readonly to: Bytes
  readonly token: Bytes
  readonly least: bigint
}

/** The parts of an operation on a position, each null if absent. */
export interface LiquidityTerms {
  readonly manager: Bytes
  /** The position of a withdrawal. */
  readonly open: OpenPosition | null
  readonly taking: Taking | null
  readonly placing: Placing | null
  readonly payout: Payout | null
  /** Fees in percent of the withdrawn amounts; for a deposit they are payments before it. */
  readonly shares: { readonly service: number; readonly extra: { readonly to: Bytes; readonly percent: number } | null }
  /** In percent. */
  readonly slippage: number
}

/** A request of any kind, in the common format. */
export interface Terms {
  readonly chainId: number
  readonly wallet: Bytes
  readonly gasToken: Bytes
  /** The destination chain, if it is another one. */
  readonly chainIdOut?: number
  readonly elements: ReadonlyArray<Element>
  /** Null for other operations. */
  readonly lending: LendingTerms | null
  readonly liquidity: LiquidityTerms | null
  /** The maximum gas cost in the quote: in whole native tokens, and in whole tokens of the gas token. */
  readonly shownGas: { readonly coin: string; readonly token: string }
  /** Quote fields that repeat the request: quoted value, requested value, path. */
  readonly echoes: ReadonlyArray<{ readonly path: string; readonly said: unknown; readonly requestedValue: unknown }>
}
