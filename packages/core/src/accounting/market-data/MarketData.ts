import { Context, type DateTime, type Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { ByToken, FiatCode, TokenRef } from "../../foundation/tokens/index.ts"
import type { PastPrice, PastValue } from "./PastValue.ts"

/** Units of each currency per US dollar, scaled by 10^18, at one time. A currency without a rate is absent. */
export interface ExchangeRates extends PastValue {
  readonly perUsdE18: ReadonlyMap<FiatCode, bigint>
}

/** Reads off-chain market data from one source, or from several sources in failover order. */
export interface MarketSource {
  /** Returns the latest prices. Tokens without a known price are absent. The price is never zero. */
  readonly prices: (tokens: ReadonlyArray<TokenRef>) => Effect.Effect<ByToken<PastPrice>, UpstreamUnavailable>
  /**
   * Returns the last price at or before each time, in the order of the times. Null if there is none, or if it is too
   * old.
   */
  readonly pastPrices: (
    token: TokenRef,
    ats: ReadonlyArray<DateTime.Utc>
  ) => Effect.Effect<ReadonlyArray<PastPrice | null>, UpstreamUnavailable>
  /** Reads the latest exchange rates. Null if the source has no rates. */
  readonly rates: Effect.Effect<ExchangeRates | null, UpstreamUnavailable>
  /** Returns the exchange rates at the start of a UTC day. Null if there are none. */
  readonly pastRates: (day: DateTime.Utc) => Effect.Effect<ExchangeRates | null, UpstreamUnavailable>
}

/**
 * Market prices and exchange rates for display and reports. Quotes, gas and limits use the on-chain prices of
 * `TokenPrices`.
 */
export class MarketData extends Context.Service<MarketData, MarketSource>()(
  "@countersign/core/market-data/MarketData"
) {}

/** Milliseconds after which a price is shown as stale. */
const FRESH_MS = 900_000

export const isStale = (atMs: number, nowMs: number): boolean => nowMs - atMs > FRESH_MS
