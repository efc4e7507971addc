import { Clock, DateTime, Effect, Layer, Option } from "effect"
import { hourValuesRoundingDown } from "./hourValues.ts"
import type { IndexProgress } from "./IndexProgress.ts"
import { hourSum, type PoolHour } from "./PoolActivity.ts"
import { PoolIndexStore } from "./PoolIndexStore.ts"
import { nothingKnown, PoolStatistics, type PoolStatisticsOverRange, type PricedPoolRef } from "./PoolStatistics.ts"

/** Pools that are indexed at most; beyond it, those that were asked for least lately are forgotten. */
const POOLS_MAX = 200
/** An index that has not seen the chain's head for longer does not know the end of a range. */
const STALE_MS = 900_000

const HOUR_SECONDS = 3_600

/** The first of the hours of a range: the current one is its last. */
const firstHour = (nowSeconds: number, rangeInDays: number): number =>
  Math.floor(nowSeconds / HOUR_SECONDS) - rangeInDays * 24 + 1

const knows = ({ first, headSeenAt, isWhole }: IndexProgress, fromHour: number, nowMs: number): boolean =>
  headSeenAt !== null && nowMs - headSeenAt < STALE_MS && (isWhole || first.at <= fromHour * HOUR_SECONDS)

const statisticsOf = (
  hours: ReadonlyArray<PoolHour>,
  { tokens }: PricedPoolRef,
  rangeInDays: number
): Pick<PoolStatisticsOverRange, "transactions" | "volumeUsdE6" | "feesUsdE6" | "volumes" | "fees" | "rangeInDays"> => {
  const none: PoolHour = { hour: 0, transactions: 0, volume0: 0n, volume1: 0n, fees0: 0n, fees1: 0n }
  const { fees0, fees1, transactions, volume0, volume1 } = hours.reduce(hourSum, none)
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

/** Statistics by our own index of the pools' events. */
export const layer = Layer.effect(
  PoolStatistics,
  Effect.gen(function* () {
    const store = yield* PoolIndexStore
    return PoolStatistics.of({
      follow: (pool) => Effect.flatMap(DateTime.now, (now) => store.follow(pool, now, POOLS_MAX)),
      over: Effect.fn("IndexedPoolStatistics.over")(function* (priced, rangeInDays) {
        const { pool } = priced
        const nowMs = yield* Clock.currentTimeMillis
        const fromHour = firstHour(nowMs / 1_000, rangeInDays)
        const indexed = yield* store.find(pool)
        const progress = Option.isSome(indexed) ? indexed.value.progress : null
        if (progress === null) return nothingKnown(rangeInDays)
        const indexing = { knownFrom: progress.first.at, isWhole: progress.isWhole }
        if (!knows(progress, fromHour, nowMs)) return { ...nothingKnown(rangeInDays), ...indexing }
        return { ...statisticsOf(yield* store.hours(pool, fromHour), priced, rangeInDays), ...indexing }
      })
    })
  })
)
