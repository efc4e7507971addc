import type { MarketSource, PastPrice } from "@countersign/core/accounting/market-data"
import { BoundedMap, coalesce } from "@countersign/core/foundation/primitives"
import { type TokenKey, tokenKey } from "@countersign/core/foundation/tokens"
import { Clock, Effect } from "effect"

/** Time in milliseconds within which a price is not requested again. */
const FRESH_MS = 60_000
/** How long a price is used while requests fail, in milliseconds. The time of the price shows its age. */
const USABLE_MS = 3_600_000
const MAX_TOKENS = 10_000

interface CachedPrice {
  readonly requestedAtMs: number
  readonly price: PastPrice | null
}

/** Caches current prices for a minute. If the request for new prices fails, returns older ones. */
export const cachedPrices = (market: MarketSource): MarketSource => {
  const cache = new BoundedMap<TokenKey, CachedPrice>(MAX_TOKENS)
  const coalescedPrices = coalesce<ReadonlyMap<TokenKey, PastPrice>, Effect.Error<ReturnType<MarketSource["prices"]>>>()

  return {
    ...market,
    prices: Effect.fnUntraced(function* (tokens) {
      const now = yield* Clock.currentTimeMillis
      const ageMs = (key: TokenKey) => now - (cache.get(key)?.requestedAtMs ?? Number.NEGATIVE_INFINITY)
      const missingTokens = tokens.filter((token) => ageMs(tokenKey(token)) > FRESH_MS)
      if (missingTokens.length > 0) {
        const keys = missingTokens.map(tokenKey)
        yield* coalescedPrices(keys.toSorted().join(), market.prices(missingTokens)).pipe(
          Effect.tap((freshPrices) =>
            Effect.sync(() => {
              for (const key of keys) cache.set(key, { requestedAtMs: now, price: freshPrices.get(key) ?? null })
            })
          ),
          // An older price with its time is better than none.
          Effect.catchIf(
            () => tokens.some((token) => ageMs(tokenKey(token)) <= USABLE_MS),
            () => Effect.void
          )
        )
      }
      return new Map(
        tokens.flatMap((token) => {
          const key = tokenKey(token)
          const price = ageMs(key) <= USABLE_MS ? (cache.get(key)?.price ?? null) : null
          return price === null ? [] : [[key, price] as const]
        })
      )
    })
  }
}
