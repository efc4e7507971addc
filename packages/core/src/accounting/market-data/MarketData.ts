import { Context, type DateTime, type Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { ByToken, FiatCode, TokenRef } from "../../foundation/tokens/index.ts"
import type { PastPrice, PastValue } from "./PastValue.ts"

/** Units of each currency per US dollar, scaled by 10^18, at one time. A currency without a rate is absent. */
export interface ExchangeRates extends PastValue {
  readonly perUsdE18: ReadonlyMap<FiatCode, bigint>
}

/** Queries for off-chain market data: one source, or several in order of failover. */
export interface MarketSource {
  /** The latest prices. A token without a known price is absent; a price of zero is never returned for it. */
  readonly prices: (tokens: ReadonlyArray<TokenRef>) => Effect.Effect<ByToken<PastPrice>, UpstreamUnavailable>
  /** The last price at or before each time, in the order of the times; null if the closest earlier price is too old. */
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
