import { Context, type DateTime, type Effect } from "effect"
import type { TokenRef } from "../../foundation/tokens/index.ts"
import type { ExchangeRates } from "./MarketData.ts"
import type { PastPrice } from "./PastValue.ts"

export interface PastPriceKey {
  readonly token: TokenRef
  /** Hours since 1970. */
  readonly hour: number
}

/** Caches past prices and rates. The first value that is stored for a key is never replaced. */
export class PastPriceStore extends Context.Service<
  PastPriceStore,
  {
    /** In the order of the keys; null for a key without a stored price. */
    readonly prices: (keys: ReadonlyArray<PastPriceKey>) => Effect.Effect<ReadonlyArray<PastPrice | null>>
    /** Does nothing for a key that has a price. */
    readonly keepPrices: (prices: ReadonlyArray<PastPriceKey & { readonly price: PastPrice }>) => Effect.Effect<void>
    /** In the order of the days, each given as its first moment; null for a day without stored rates. */
    readonly rates: (days: ReadonlyArray<DateTime.Utc>) => Effect.Effect<ReadonlyArray<ExchangeRates | null>>
    /** Stores all rates of a day in one transaction. Does nothing for a day that has rates. */
    readonly keepRates: (day: DateTime.Utc, rates: ExchangeRates) => Effect.Effect<void>
  }
>()("@countersign/core/market-data/PastPriceStore") {}
