import { Context, type DateTime, type Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { ByToken, FiatCode, TokenRef } from "../../foundation/tokens/index.ts"
import type { PastPrice, PastValue } from "./PastValue.ts"

/** Units of each currency for one US dollar, scaled by 10^18, at one moment. A currency without a rate is missing. */
export interface ExchangeRates extends PastValue {
  readonly perUsdE18: ReadonlyMap<FiatCode, bigint>
}

/** What can be asked of the market outside the chains: of one source, or of several that stand in for one another. */
export interface MarketSource {
  /** The latest prices. A token without one is missing: unknown is never zero. */
  readonly prices: (tokens: ReadonlyArray<TokenRef>) => Effect.Effect<ByToken<PastPrice>, UpstreamUnavailable>
  /** In the order of the times: the last price at or before each; null where there is none that is near enough. */
  readonly pastPrices: (
    token: TokenRef,
    ats: ReadonlyArray<DateTime.Utc>
  ) => Effect.Effect<ReadonlyArray<PastPrice | null>, UpstreamUnavailable>
  /** The latest exchange rates; null of a source that has none. */
  readonly rates: Effect.Effect<ExchangeRates | null, UpstreamUnavailable>
  /** Exchange rates at the beginning of a day in UTC; null where there are none. */
  readonly pastRates: (day: DateTime.Utc) => Effect.Effect<ExchangeRates | null, UpstreamUnavailable>
}

/**
 * Prices and exchange rates of the market, for what is shown and reported. Quotes, gas and limits go by `TokenPrices`, which
 * are from the chains themselves.
 */
export class MarketData extends Context.Service<MarketData, MarketSource>()(
  "@countersign/core/market-data/MarketData"
) {}

/** A price older than this is shown as stale. */
const FRESH_MS = 900_000

export const isStale = (atMs: number, nowMs: number): boolean => nowMs - atMs > FRESH_MS
