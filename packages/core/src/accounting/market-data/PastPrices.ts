import { Context, DateTime, Effect, Layer } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { BoundedMap } from "../../foundation/primitives/index.ts"
import { type FiatCode, type TokenRef, tokenKey } from "../../foundation/tokens/index.ts"
import { hourOf, startOfDay, startOfHour } from "./buckets.ts"
import { MarketData } from "./MarketData.ts"
import { type PastPriceKey, PastPriceStore } from "./PastPriceStore.ts"
import type { PastPrice, PastRate } from "./PastValue.ts"

export interface PastPriceRequest {
  readonly token: TokenRef
  readonly at: DateTime.Utc
}

/** Milliseconds for which a missing price or rate is not requested again. */
const UNKNOWN_MS = 600_000
const MAX_UNKNOWN = 10_000
const CONCURRENT_TOKENS = 3

const keyTextOf = ({ hour, token }: PastPriceKey) => `${tokenKey(token)}@${hour}`

/**
 * Returns past prices and exchange rates. The first value of a source is stored and never changes, so that a report can
 * be reproduced byte for byte. Null if no source has a value. A missing value is requested again after some minutes.
 */
export class PastPrices extends Context.Service<
  PastPrices,
  {
    /** Returns prices in the order of the requests. */
    readonly prices: (
      requests: ReadonlyArray<PastPriceRequest>
    ) => Effect.Effect<ReadonlyArray<PastPrice | null>, UpstreamUnavailable>
    readonly rate: (currency: FiatCode, at: DateTime.Utc) => Effect.Effect<PastRate | null, UpstreamUnavailable>
  }
>()("@countersign/core/market-data/PastPrices") {
  /**
   * Reads prices by the hour and rates by the UTC day: the last value at or before the start of that hour or day. A
   * response is first stored and then read back, so that all processes return the same value.
   */
  static readonly layer = Layer.effect(
    PastPrices,
    Effect.gen(function* () {
      const market = yield* MarketData
      const store = yield* PastPriceStore
      /** The times of the requests that returned no value, by the key of a price or the day of rates. */
      const missingAtMs = new BoundedMap<string, number>(MAX_UNKNOWN)
      const isUnknown = (key: string, nowMs: number) =>
        nowMs - (missingAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < UNKNOWN_MS

      const storeMissingPrices = Effect.fnUntraced(function* (keys: ReadonlyArray<PastPriceKey>, nowMs: number) {
        const token = keys[0]!.token
        const marketPrices = yield* market.pastPrices(token, keys.map(startOfHour))
        for (const [i, key] of keys.entries()) if (marketPrices[i] == null) missingAtMs.set(keyTextOf(key), nowMs)
        yield* store.storePrices(
          keys.flatMap((key, i) => {
            const price = marketPrices[i] ?? null
            return price === null ? [] : [{ ...key, price }]
          })
        )
      })

      const readPrices = Effect.fnUntraced(function* (requests: ReadonlyArray<PastPriceRequest>) {
        const nowMs = DateTime.toEpochMillis(yield* DateTime.now)
        const keys = requests.map(({ at, token }): PastPriceKey => ({ token, hour: hourOf(at) }))
        const storedPrices = yield* store.findPrices(keys)
        const isRequested = (key: PastPriceKey) =>
          DateTime.toEpochMillis(startOfHour(key)) <= nowMs && !isUnknown(keyTextOf(key), nowMs)
        const missingKeys = new Map(
          keys.flatMap((key, i) =>
            storedPrices[i] == null && isRequested(key) ? [[keyTextOf(key), key] as const] : []
          )
        )
        if (missingKeys.size === 0) return storedPrices
        const byToken = Map.groupBy(missingKeys.values(), ({ token }) => tokenKey(token))
        yield* Effect.forEach(byToken.values(), (tokenKeys) => storeMissingPrices(tokenKeys, nowMs), {
          concurrency: CONCURRENT_TOKENS,
          discard: true
        })
        return yield* store.findPrices(keys)
      })

      const readRates = Effect.fnUntraced(function* (day: DateTime.Utc) {
        const [storedRates = null] = yield* store.findRates([day])
        const now = yield* DateTime.now
        const [key, nowMs] = [DateTime.formatIso(day), DateTime.toEpochMillis(now)]
        if (storedRates !== null || DateTime.isGreaterThan(day, now) || isUnknown(key, nowMs)) return storedRates
        const marketRates = yield* market.pastRates(day)
        if (marketRates === null) {
          missingAtMs.set(key, nowMs)
          return null
        }
        yield* store.storeRates(day, marketRates)
        const [rereadRates = null] = yield* store.findRates([day])
        return rereadRates
      })

      return PastPrices.of({
        prices: Effect.fn("PastPrices.prices")(readPrices),
        rate: Effect.fn("PastPrices.rate")(function* (currency, at) {
          const day = startOfDay(at)
          if (currency === "usd") return { at: day, source: "usd", perUsdE18: 10n ** 18n }
          const rates = yield* readRates(day)
          const perUsdE18 = rates?.perUsdE18.get(currency)
          return rates === null || perUsdE18 === undefined ? null : { at: rates.at, source: rates.source, perUsdE18 }
        })
      })
    })
  )
}
