import { Clock, Context, DateTime, Effect, Layer, Option } from "effect"
import { hourValuesRoundingDown } from "./hourValues.ts"
import type { IndexProgress } from "./IndexProgress.ts"
import { addHours, type PoolHour } from "./PoolActivity.ts"
import { PoolIndexStore } from "./PoolIndexStore.ts"
import type { PoolRef, PricedPoolRef } from "./PoolRef.ts"

/** A pool's activity over a number of days. Unknown values are null, not zero. */
export interface PoolStatisticsOverRange {
  readonly rangeInDays: number
  /** Number of transactions with an event of the pool. */
  readonly transactions: number | null
  /** Millionths of a US dollar, rounded down. */
  readonly volumeUsdE6: bigint | null
  readonly feesUsdE6: bigint | null
  /** Volumes in base units of token0 and token1. */
  readonly volumes: readonly [bigint, bigint] | null
  readonly fees: readonly [bigint, bigint] | null
  /** Unix seconds since which the data are complete. Null if there are no data. */
  readonly knownFrom: number | null
  /** Whether the data reach back far enough: earlier data do not exist, or are older than the longest range. */
  readonly isWhole: boolean
}

/** Returns the statistics of a pool without any data. */
export const emptyStatistics = (rangeInDays: number): PoolStatisticsOverRange => ({
  rangeInDays,
  transactions: null,
  volumeUsdE6: null,
  feesUsdE6: null,
  volumes: null,
  fees: null,
  knownFrom: null,
  isWhole: false
})

/** Maximum number of indexed pools. If it is exceeded, the least recently requested pools are removed. */
const POOLS_MAX = 200
/** A second request for a pool within this time is not stored, because the pool is already read every few seconds. */
const REQUESTED_MS = 60_000
/** If the chain's head was not read within this time, recent data are missing. */
const STALE_MS = 900_000

const HOUR_SECONDS = 3_600

/** Returns the first hour of a range. The current hour is the last one. */
const firstHour = (nowSeconds: number, rangeInDays: number): number =>
  Math.floor(nowSeconds / HOUR_SECONDS) - rangeInDays * 24 + 1

const coversRange = ({ first, headSeenAt, isWhole }: IndexProgress, fromHour: number, nowMs: number): boolean =>
  headSeenAt !== null && nowMs - headSeenAt < STALE_MS && (isWhole || first.at <= fromHour * HOUR_SECONDS)

const statisticsOf = (
  hours: ReadonlyArray<PoolHour>,
  { tokens }: PricedPoolRef,
  rangeInDays: number
): Pick<PoolStatisticsOverRange, "transactions" | "volumeUsdE6" | "feesUsdE6" | "volumes" | "fees" | "rangeInDays"> => {
  const emptyHour: PoolHour = { hour: 0, transactions: 0, volume0: 0n, volume1: 0n, fees0: 0n, fees1: 0n }
  const { fees0, fees1, transactions, volume0, volume1 } = hours.reduce(addHours, emptyHour)
  const values = hourValuesRoundingDown(hours, tokens)
  return {
    rangeInDays,
    transactions,
    volumeUsdE6: values?.volumeUsdE6 ?? null,
    feesUsdE6: values?.feesUsdE6 ?? null,
    volumes: [volume0, volume1],
    fees: [fees0, fees1]
  }
}

/** Returns fees, volume and transactions of pools over a number of days. */
export class PoolStatistics extends Context.Service<
  PoolStatistics,
  {
    /** Starts to index the pool, including its past blocks. */
    readonly startIndexing: (pool: PoolRef) => Effect.Effect<void>
    /** Returns the statistics of the last days, in full hours, including the current hour. */
    readonly readStatistics: (pool: PricedPoolRef, rangeInDays: number) => Effect.Effect<PoolStatisticsOverRange>
  }
>()("@countersign/core/pools/PoolStatistics") {
  /** Computes the statistics from this service's index of pool events. */
  static readonly layer = Layer.effect(
    PoolStatistics,
    Effect.gen(function* () {
      const store = yield* PoolIndexStore
      return PoolStatistics.of({
        startIndexing: Effect.fn("PoolStatistics.follow")(function* (pool) {
          const now = yield* DateTime.now
          const indexedPool = yield* store.find(pool)
          const isRecent =
            Option.isSome(indexedPool) &&
            DateTime.isGreaterThan(DateTime.add(indexedPool.value.askedAt, { milliseconds: REQUESTED_MS }), now)
          if (!isRecent) yield* store.recordRequest(pool, now, POOLS_MAX)
        }),
        readStatistics: Effect.fn("PoolStatistics.over")(function* (pricedPool, rangeInDays) {
          const { pool } = pricedPool
          const nowMs = yield* Clock.currentTimeMillis
          const fromHour = firstHour(nowMs / 1_000, rangeInDays)
          const indexedPool = yield* store.find(pool)
          const progress = Option.isSome(indexedPool) ? indexedPool.value.progress : null
          if (progress === null) return emptyStatistics(rangeInDays)
          const indexing = { knownFrom: progress.first.at, isWhole: progress.isWhole }
          if (!coversRange(progress, fromHour, nowMs)) return { ...emptyStatistics(rangeInDays), ...indexing }
          return { ...statisticsOf(yield* store.listHours(pool, fromHour), pricedPool, rangeInDays), ...indexing }
        })
      })
    })
  )
}
