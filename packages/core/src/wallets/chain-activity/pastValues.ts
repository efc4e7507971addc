import { Clock, DateTime, Effect } from "effect"
import { PastPrices } from "../../accounting/market-data/index.ts"
import {
  type ByToken,
  type Token,
  TokenPrices,
  tokenKey,
  type UsdPriceE18,
  valuesOf
} from "../../foundation/tokens/index.ts"

/** Maximum age in milliseconds up to which the current price is used. */
const RECENT_MS = 600_000
/**
 * Maximum time to wait for current prices, and maximum time in milliseconds to retry past prices. Afterwards, a
 * movement is recorded without a value.
 */
const CURRENT_PRICE_TIMEOUT = "2 seconds"
const PAST_PRICE_RETRY_MS = 3_600_000

export const isRecent = (seconds: number, nowMs: number): boolean => nowMs - seconds * 1_000 < RECENT_MS

const noPrices: ByToken<UsdPriceE18> = new Map()

/** Returns the prices of tokens at a time in Unix seconds. Null if a later attempt may still succeed. */
export const pastValueReader = Effect.gen(function* () {
  const tokenPrices = yield* TokenPrices
  const pastPrices = yield* PastPrices

  return Effect.fnUntraced(function* (tokens: ReadonlyArray<Token>, seconds: number, seenAt: DateTime.Utc) {
    const nowMs = yield* Clock.currentTimeMillis
    if (isRecent(seconds, nowMs)) {
      return yield* tokenPrices
        .findPrices(tokens)
        .pipe(
          Effect.map(valuesOf),
          Effect.timeoutOrElse({ duration: CURRENT_PRICE_TIMEOUT, orElse: () => Effect.succeed(noPrices) })
        )
    }
    const time = DateTime.makeUnsafe(seconds * 1_000)
    const prices = yield* Effect.option(pastPrices.prices(tokens.map((token) => ({ token, at: time }))))
    if (prices._tag === "None") return nowMs - DateTime.toEpochMillis(seenAt) < PAST_PRICE_RETRY_MS ? null : noPrices
    return new Map(
      tokens.flatMap((token, index) => {
        const price = prices.value[index]
        return price == null ? [] : [[tokenKey(token), price.usd] as const]
      })
    )
  })
})
