import { type DateTime, Effect } from "effect"
import { type TokenKey, type TokenRef, tokenKey, type UsdPriceE18 } from "../../foundation/tokens/index.ts"
import { PastPrices } from "../market-data/index.ts"

/** Maximum time that an overview waits for past prices. */
const MAX_WAIT = "4 seconds"
const CONCURRENT_TOKENS = 4

/**
 * Reads past prices of tokens, with one request per token for all its times. A token is absent if its prices could not
 * be read within a few seconds. Prices that were fetched before the timeout are stored for the next request.
 */
export const pricesWithTimeout = Effect.fnUntraced(function* (
  requests: ReadonlyArray<{ readonly token: TokenRef; readonly ats: ReadonlyArray<DateTime.Utc> }>
) {
  const pastPrices = yield* PastPrices
  const pricesByToken = new Map<TokenKey, ReadonlyArray<UsdPriceE18 | null>>()
  const readPrices = Effect.fnUntraced(function* ({ ats, token }: (typeof requests)[number]) {
    const prices = yield* pastPrices.prices(ats.map((at) => ({ token, at })))
    pricesByToken.set(
      tokenKey(token),
      prices.map((price) => price?.usd ?? null)
    )
  })
  yield* Effect.forEach(
    requests,
    (request) =>
      Effect.catchTag(readPrices(request), "UPSTREAM_UNAVAILABLE", ({ message }) =>
        Effect.logDebug("a historical price could not be read", { reason: message })
      ),
    { concurrency: CONCURRENT_TOKENS, discard: true }
  ).pipe(Effect.timeoutOption(MAX_WAIT))
  return new Map(pricesByToken)
})
