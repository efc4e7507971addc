import { SwapProviders } from "@countersign/core/swap"
import { Effect, Layer } from "effect"
import { UniswapV3SwapProvider } from "../uniswap/index.ts"

/** Every provider of swaps, in the order in which equal quotes are preferred. */
export const layerSwapProviders = Layer.effect(SwapProviders, Effect.all([UniswapV3SwapProvider.make]))
