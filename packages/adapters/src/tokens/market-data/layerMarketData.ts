import { MarketData } from "@countersign/core/accounting/market-data"
import { TokenPrices } from "@countersign/core/foundation/tokens"
import { Effect, Layer } from "effect"
import { type CoinGeckoOptions, makeCoinGecko } from "./CoinGecko.ts"
import { cachedPrices } from "./cachedPrices.ts"
import { makeComposite } from "./composite.ts"
import { makeDefiLlama } from "./DefiLlama.ts"

/** A source of off-chain prices. */
export type MarketSourceSettings =
  | ({ readonly _tag: "CoinGecko" } & CoinGeckoOptions)
  | { readonly _tag: "DefiLlama"; readonly url: string | null }

export const makeSource = (settings: MarketSourceSettings) =>
  settings._tag === "CoinGecko" ? makeCoinGecko(settings) : makeDefiLlama(settings)

/** Provides the sources, in the order in which they are queried. Without sources, no price is known. */
export const layerMarketData = (sources: ReadonlyArray<MarketSourceSettings>) =>
  Layer.effect(
    MarketData,
    Effect.gen(function* () {
      const namedSources = yield* Effect.forEach(sources, makeSource)
      return MarketData.of(cachedPrices(makeComposite(namedSources, yield* TokenPrices)))
    })
  )
