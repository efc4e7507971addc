import { Context, type DateTime, type Effect } from "effect"
import type { UpstreamUnavailable } from "../errors/index.ts"
import type { FiatCode, TokenRef, UsdPriceE18 } from "../tokens/index.ts"

/** What a source said that something was worth at a time. */
export interface PastValue {
  /** The moment that the source has a figure for: the last one at or before the time that was asked for. */
  readonly at: DateTime.Utc
  /** Name of the source, such as `coingecko`. */
  readonly source: string
}

export interface PastPrice extends PastValue {
  readonly usd: UsdPriceE18
}

/** Units of a currency for one US dollar, scaled by 10^18. */
export interface PastRate extends PastValue {
  readonly perUsdE18: bigint
}

export interface PastPriceRequest {
  readonly token: TokenRef
  readonly at: DateTime.Utc
}

/**
 * Prices and exchange rates of the past. An answer is kept and stays the same, so that a report can be made again byte by
 * byte. Null where every source has answered and none has a figure; that is asked for again another time.
 */
export class PastPrices extends Context.Service<
  PastPrices,
  {
    /** In the order of the requests. */
    readonly prices: (
      requests: ReadonlyArray<PastPriceRequest>
    ) => Effect.Effect<ReadonlyArray<PastPrice | null>, UpstreamUnavailable>
    readonly rate: (currency: FiatCode, at: DateTime.Utc) => Effect.Effect<PastRate | null, UpstreamUnavailable>
  }
>()("@countersign/core/market-data/PastPrices") {}
