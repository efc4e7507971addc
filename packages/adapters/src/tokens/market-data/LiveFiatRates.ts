import { type ExchangeRates, MarketData } from "@countersign/core/accounting/market-data"
import { type FiatCode, FiatRates } from "@countersign/core/foundation/tokens"
import { Clock, DateTime, Effect, Fiber, Layer, Scope } from "effect"
import { makeCachedDays } from "./cachedDays.ts"
import { isInBounds } from "./inBounds.ts"
import { countRefused } from "./marketMetrics.ts"

const FRESH_MS = 60_000
/** Maximum age of a rate in milliseconds, because an unknown rate is better than a wrong one. */
const USABLE_MS = 86_400_000
/**
 * How long new rates are compared with the same reference, in milliseconds. Within this time a series of small changes
 * can't change a rate by more than a single change can.
 */
const REFERENCE_MS = 86_400_000
/** How long the first request waits for rates if there is no fallback table. */
const FIRST_WAIT = "2 seconds"

/**
 * Provides market exchange rates. They are refreshed in the background, so that no response waits for them. A rate that
 * changes by more than a factor of ten within a day is rejected. The table contains fallback values for unknown rates.
 */
export const layer = (table: ReadonlyMap<FiatCode, bigint>) =>
  Layer.effect(
    FiatRates,
    Effect.gen(function* () {
      const market = yield* MarketData
      const scope = yield* Scope.Scope
      const cachedDayRates = yield* makeCachedDays
      let currentRates: ExchangeRates | null = null
      let reference = table
      let referenceAtMs = Number.NEGATIVE_INFINITY
      let requestedAtMs = Number.NEGATIVE_INFINITY
      let isRenewing = false

      const ratesNow = (nowMs: number): ReadonlyMap<FiatCode, bigint> =>
        currentRates === null || nowMs - DateTime.toEpochMillis(currentRates.at) > USABLE_MS
          ? table
          : new Map([...table, ...currentRates.perUsdE18])

      const filterRatesInBounds = Effect.fnUntraced(function* (
        rates: ExchangeRates,
        previousRates: ReadonlyMap<FiatCode, bigint>
      ) {
        const perUsdE18 = new Map(rates.perUsdE18)
        for (const [code, rate] of rates.perUsdE18) {
          const referenceRate = reference.get(code)
          if (referenceRate === undefined || isInBounds(rate, referenceRate)) continue
          perUsdE18.set(code, previousRates.get(code) ?? referenceRate)
          yield* countRefused(rates.source)
          yield* Effect.logWarning("an exchange rate was rejected: it is far from the earlier rate", {
            source: rates.source,
            currency: code,
            perUsdE18: String(rate),
            knownPerUsdE18: String(referenceRate)
          })
        }
        return { ...rates, perUsdE18 }
      })

      const renew = Effect.gen(function* () {
        const nowMs = yield* Clock.currentTimeMillis
        requestedAtMs = nowMs
        const rates = yield* market.rates
        if (rates === null) return
        currentRates = yield* filterRatesInBounds(rates, ratesNow(nowMs))
        const isDue = nowMs - referenceAtMs > REFERENCE_MS
        // A currency that a response does not contain keeps its reference.
        reference = new Map(
          isDue ? [...reference, ...currentRates.perUsdE18] : [...currentRates.perUsdE18, ...reference]
        )
        if (isDue) referenceAtMs = nowMs
      }).pipe(
        Effect.catchTag("UPSTREAM_UNAVAILABLE", ({ message }) =>
          Effect.logWarning("exchange rates could not be read", { reason: message })
        ),
        Effect.ensuring(
          Effect.sync(() => {
            isRenewing = false
          })
        )
      )

      const readCurrentRates = Effect.gen(function* () {
        const nowMs = yield* Clock.currentTimeMillis
        if (!isRenewing && nowMs - requestedAtMs > FRESH_MS) {
          isRenewing = true
          const isFirst = requestedAtMs === Number.NEGATIVE_INFINITY
          const renewal = yield* Effect.forkIn(renew, scope)
          if (isFirst && table.size === 0) yield* Effect.timeoutOption(Fiber.join(renewal), FIRST_WAIT)
        }
        return ratesNow(nowMs)
      })

      return FiatRates.of({
        perUsdE18: readCurrentRates,
        readDailyRates: Effect.fnUntraced(function* (ats) {
          const [rates, dayRates] = [yield* readCurrentRates, yield* cachedDayRates(ats)]
          return dayRates.map((dayRate) => dayRate ?? rates)
        })
      })
    })
  )
