import { PastPriceStore, PastPrices } from "@countersign/core/accounting/market-data"
import { BoundedMap } from "@countersign/core/foundation/primitives"
import type { FiatRatesE18 } from "@countersign/core/foundation/tokens"
import { DateTime, Effect, Scope } from "effect"

const DAY_MS = 86_400_000
const MAX_DAYS = 1_000
/** Time in milliseconds after which a day without stored rates is requested again. */
const RETRY_MS = 60_000
/** Number of days that one response fetches in the background, because sources have rate limits. */
const CONCURRENT_FETCHES = 4

/**
 * Returns stored rates of past days without waiting for a source. Null for today and for days that are not stored.
 * Missing days are fetched in the background for later requests, a few at a time.
 */
export const makeCachedDays = Effect.gen(function* () {
  const store = yield* PastPriceStore
  const pastPrices = yield* PastPrices
  const scope = yield* Scope.Scope
  const cachedRates = new BoundedMap<number, FiatRatesE18>(MAX_DAYS)
  const readAtByDay = new BoundedMap<number, number>(MAX_DAYS)
  let isFetching = false

  // A request for one currency on a day returns all currencies, so one request per day is sufficient.
  const fetch = (days: ReadonlyArray<number>) =>
    Effect.forEach(days, (day) => pastPrices.rate("eur", DateTime.makeUnsafe(day)), { discard: true }).pipe(
      Effect.catchTag("UPSTREAM_UNAVAILABLE", ({ message }) =>
        Effect.logDebug("historical exchange rates could not be read", { reason: message })
      ),
      Effect.ensuring(
        Effect.sync(() => {
          isFetching = false
        })
      )
    )

  return Effect.fnUntraced(function* (ats: ReadonlyArray<DateTime.Utc>) {
    const nowMs = DateTime.toEpochMillis(yield* DateTime.now)
    const dayOf = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS
    const days = ats.map((at) => dayOf(DateTime.toEpochMillis(at)))
    const isDue = (day: number) =>
      day < dayOf(nowMs) &&
      !cachedRates.has(day) &&
      nowMs - (readAtByDay.get(day) ?? Number.NEGATIVE_INFINITY) >= RETRY_MS
    const dueDays = [...new Set(days.filter(isDue))]
    if (dueDays.length > 0) {
      const storedRates = yield* store.findRates(dueDays.map((day) => DateTime.makeUnsafe(day)))
      for (const [i, day] of dueDays.entries()) {
        const rates = storedRates[i] ?? null
        if (rates === null) readAtByDay.set(day, nowMs)
        else cachedRates.set(day, rates.perUsdE18)
      }
      const missingDays = dueDays.filter((day) => !cachedRates.has(day)).slice(0, CONCURRENT_FETCHES)
      if (missingDays.length > 0 && !isFetching) {
        isFetching = true
        yield* Effect.forkIn(fetch(missingDays), scope)
      }
    }
    return days.map((day) => (day < dayOf(nowMs) ? (cachedRates.get(day) ?? null) : null))
  })
})
