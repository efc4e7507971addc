import { SwapProviders } from "@countersign/core/swap"
import { Effect, Layer } from "effect"
import * as PoolTokenPrices from "./PoolTokenPrices.ts"
import * as UniswapV3SwapProvider from "./UniswapV3SwapProvider.ts"

export { PoolReader } from "./PoolReader.ts"

/** Swap quotes from Uniswap V3 alone. */
export const layerSwapProviders = Layer.effect(
  SwapProviders,
  Effect.map(UniswapV3SwapProvider.make, (provider) => [provider])
)

/** Token prices from the pools. */
export const layerTokenPrices = PoolTokenPrices.layer
