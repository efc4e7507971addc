import { Context, type DateTime, type Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { ByToken, FiatCode, TokenRef } from "../../foundation/tokens/index.ts"
import type { PastPrice, PastValue } from "./PastValue.ts"

/** Units of each currency per US dollar, scaled by 10^18, at one moment. A currency without a rate is absent. */
export interface ExchangeRates extends PastValue {
  readonly perUsdE18: ReadonlyMap<FiatCode, bigint>
}

/** Queries for off-chain market data: one source, or several in order of fail-over. */
export interface MarketSource {
  /** The latest prices. A token without a price is absent; zero never means unknown. */
  readonly prices: (tokens: ReadonlyArray<TokenRef>) => Effect.Effect<ByToken<PastPrice>, UpstreamUnavailable>
  /** In the order of the times: the last price at or before each time; null if there is none close enough. */
  readonly pastPrices: (
    token: TokenRef,
    ats: ReadonlyArray<DateTime.Utc>
  ) => Effect.Effect<ReadonlyArray<PastPrice | null>, UpstreamUnavailable>
  /** The latest exchange rates; null from a source without rates. */
  readonly rates: Effect.Effect<ExchangeRates | null, UpstreamUnavailable>
  /** Exchange rates at the beginning of a day in UTC; null if there are none. */
  readonly pastRates: (day: DateTime.Utc) => Effect.Effect<ExchangeRates | null, UpstreamUnavailable>
}

/**
 * Market prices and exchange rates for display and reports. Quotes, gas and limits use the on-chain prices of
 * `TokenPrices`.
 */
export class MarketData extends Context.Service<MarketData, MarketSource>()(
  "@countersign/core/market-data/MarketData"
) {}

/** A price older than this is shown as stale. */
const FRESH_MS = 900_000

export const isStale = (atMs: number, nowMs: number): boolean => nowMs - atMs > FRESH_MS
