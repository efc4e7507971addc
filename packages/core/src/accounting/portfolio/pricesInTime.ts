import { type DateTime, Effect } from "effect"
import { type TokenKey, type TokenRef, tokenKey, type UsdPriceE18 } from "../../foundation/tokens/index.ts"
import { PastPrices } from "../market-data/index.ts"

/** As long as an overview waits for a chain: one that is slow must not hide the rest. */
const PATIENCE = "4 seconds"
const TOKENS_AT_ONCE = 4

/**
 * Prices of tokens at times, all times of a token at once. Tokens of which the source is silent, or not done within seconds, are
 * missing; what was fetched by then is kept for the next time.
 */
export const pricesInTime = Effect.fnUntraced(function* (
  requests: ReadonlyArray<{ readonly token: TokenRef; readonly ats: ReadonlyArray<DateTime.Utc> }>
) {
  const past = yield* PastPrices
  const found = new Map<TokenKey, ReadonlyArray<UsdPriceE18 | null>>()
  const read = Effect.fnUntraced(function* ({ ats, token }: (typeof requests)[number]) {
    const prices = yield* past.prices(ats.map((at) => ({ token, at })))
    found.set(
      tokenKey(token),
      prices.map((price) => price?.usd ?? null)
    )
  })
  yield* Effect.forEach(
    requests,
    (request) =>
      Effect.catchTag(read(request), "UPSTREAM_UNAVAILABLE", ({ message }) =>
        Effect.logDebug("a price of the past could not be read", { reason: message })
      ),
    { concurrency: TOKENS_AT_ONCE, discard: true }
  ).pipe(Effect.timeoutOption(PATIENCE))
  return new Map(found)
})
