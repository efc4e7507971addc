import { DateTime, Effect } from "effect"
import {
  type ByToken,
  type TokenKey,
  TokenPrices,
  type TokenRef,
  tokenKey,
  type UsdPriceE18
} from "../../foundation/tokens/index.ts"
import { isStale, MarketData } from "./MarketData.ts"

/** A price for display. Quotes, gas and limits use `TokenPrices` only. */
export interface DisplayPrice {
  readonly usd: UsdPriceE18
  /** A source of `TokenPrices`, or the name of an off-chain source. */
  readonly source: string
  /** Whether the price is too old to be shown as current. */
  readonly isStale: boolean
}

/** Maximum time that an overview waits for off-chain prices. */
const MAX_WAIT = "2 seconds"

/**
 * Returns on-chain prices, and market prices for tokens without an on-chain price. Omits market prices if the source
 * does not respond in time.
 */
export const readDisplayPrices = Effect.fnUntraced(function* (
  tokens: ReadonlyArray<TokenRef>
): Effect.fn.Return<ByToken<DisplayPrice>, never, TokenPrices | MarketData> {
  const onChainPrices = yield* (yield* TokenPrices).findPrices(tokens)
  const prices = new Map<TokenKey, DisplayPrice>()
  for (const [key, { source, usd }] of onChainPrices) prices.set(key, { usd, source, isStale: false })
  const unpricedTokens = tokens.filter((token) => !prices.has(tokenKey(token)))
  if (unpricedTokens.length === 0) return prices
  const market = yield* MarketData
  const marketPrices = yield* market.prices(unpricedTokens).pipe(
    Effect.catchTag("UPSTREAM_UNAVAILABLE", ({ message }) =>
      Effect.as(Effect.logDebug("market prices could not be read", { reason: message }), new Map<never, never>())
    ),
    Effect.timeoutOrElse({ duration: MAX_WAIT, orElse: () => Effect.succeed(new Map<never, never>()) })
  )
  const nowMs = DateTime.toEpochMillis(yield* DateTime.now)
  for (const [key, { at, source, usd }] of marketPrices) {
    prices.set(key, { usd, source, isStale: isStale(DateTime.toEpochMillis(at), nowMs) })
  }
  return prices
})
