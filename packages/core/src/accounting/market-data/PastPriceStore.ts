import { Context, type DateTime, type Effect } from "effect"
import type { TokenRef } from "../../foundation/tokens/index.ts"
import type { ExchangeRates } from "./MarketData.ts"
import type { PastPrice } from "./PastValue.ts"

export interface PastPriceKey {
  readonly token: TokenRef
  /** Hours since 1970. */
  readonly hour: number
}

/** Figures of the past that were fetched once. The first one that is kept stays. */
export class PastPriceStore extends Context.Service<
  PastPriceStore,
  {
    /** In the order of the keys; null for what is not kept. */
    readonly prices: (keys: ReadonlyArray<PastPriceKey>) => Effect.Effect<ReadonlyArray<PastPrice | null>>
    /** Does nothing for a key that has a price. */
    readonly keepPrices: (prices: ReadonlyArray<PastPriceKey & { readonly price: PastPrice }>) => Effect.Effect<void>
    /** Of the days that begin at these moments, in their order; null for a day of which none are kept. */
    readonly rates: (days: ReadonlyArray<DateTime.Utc>) => Effect.Effect<ReadonlyArray<ExchangeRates | null>>
    /** All rates of a day at once. Does nothing for a day that has some. */
    readonly keepRates: (day: DateTime.Utc, rates: ExchangeRates) => Effect.Effect<void>
  }
>()("@countersign/core/market-data/PastPriceStore") {}
