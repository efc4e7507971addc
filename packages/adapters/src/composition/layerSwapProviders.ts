import { SwapProviders } from "@countersign/core/swap"
import { Effect, Layer } from "effect"
import { PoolSwapProvider } from "../uniswap/index.ts"
import type { Settings } from "./Settings.ts"

/** Every provider of swaps of ours, in the order in which equal quotes are preferred. */
const ownProviders = Effect.all([PoolSwapProvider.make])

export const layerSwapProviders = ({
  extensions = [],
  swapProviders = ownProviders
}: Pick<Settings, "extensions" | "swapProviders">) =>
  Layer.effect(
    SwapProviders,
    Effect.map(swapProviders, (providers) => [
      ...providers,
      ...extensions.flatMap(({ swapProviders: brought = [] }) => brought)
    ])
  )
