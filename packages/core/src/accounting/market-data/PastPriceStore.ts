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
    /** Returns prices in the order of the keys. Null for a key without a stored price. */
    readonly findPrices: (keys: ReadonlyArray<PastPriceKey>) => Effect.Effect<ReadonlyArray<PastPrice | null>>
    /** Stores prices. Does nothing for a key that already has a price. */
    readonly storePrices: (prices: ReadonlyArray<PastPriceKey & { readonly price: PastPrice }>) => Effect.Effect<void>
    /** Returns rates in the order of the days. Each day is given by its start. Null for a day without stored rates. */
    readonly findRates: (days: ReadonlyArray<DateTime.Utc>) => Effect.Effect<ReadonlyArray<ExchangeRates | null>>
    /** Stores all rates of a day in one database transaction. Does nothing for a day that already has rates. */
    readonly storeRates: (day: DateTime.Utc, rates: ExchangeRates) => Effect.Effect<void>
  }
>()("@countersign/core/market-data/PastPriceStore") {}
