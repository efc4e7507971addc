import { Context, type Effect } from "effect"
import type { UsdPriceE18 } from "../tokens/index.ts"
import type { PoolRef } from "./PoolRef.ts"

/** The activity in a pool over a range of days. Unknown figures are null, not zero. */
export interface PoolStatisticsOverRange {
  readonly rangeInDays: number
  /** Transactions with an event of the pool. */
  readonly transactions: number | null
  /** Millionths of a US dollar, rounded down. */
  readonly volumeUsdE6: bigint | null
  readonly feesUsdE6: bigint | null
  /** Base units of token0 and token1. */
  readonly volumes: readonly [bigint, bigint] | null
  readonly fees: readonly [bigint, bigint] | null
  /** Unix seconds from which on everything is known; null where nothing is. */
  readonly knownFrom: number | null
  /** Whether nothing earlier is going to be known, because there is nothing or it is no longer asked for. */
  readonly isWhole: boolean
}

/** A pool whose tokens are listed, with what is known of their prices. */
export interface PricedPoolRef {
  readonly pool: PoolRef
  readonly tokens: readonly [PricedSide, PricedSide]
}

export interface PricedSide {
  readonly decimals: number
  /** Null where it is not known. */
  readonly price: UsdPriceE18 | null
}

/** Fees, volume and transactions of pools over days. */
export class PoolStatistics extends Context.Service<
  PoolStatistics,
  {
    /** Asks for the pool: what has to be read first is read from then on. */
    readonly follow: (pool: PoolRef) => Effect.Effect<void>
    /** The last days in whole hours, the current one included. */
    readonly over: (pool: PricedPoolRef, rangeInDays: number) => Effect.Effect<PoolStatisticsOverRange>
  }
>()("@countersign/core/pools/PoolStatistics") {}

/** Where nothing is known of a pool yet. */
export const nothingKnown = (rangeInDays: number): PoolStatisticsOverRange => ({
  rangeInDays,
  transactions: null,
  volumeUsdE6: null,
  feesUsdE6: null,
  volumes: null,
  fees: null,
  knownFrom: null,
  isWhole: false
})
