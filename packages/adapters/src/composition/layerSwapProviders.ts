import { SwapProviders } from "@countersign/core/swap"
import { Effect, Layer } from "effect"
import { swapProvidersOf } from "../aggregators/index.ts"
import { PoolSwapProvider } from "../uniswap/index.ts"
import { Extensions } from "./Extension.ts"
import type { Settings } from "./Settings.ts"

/** Every provider of swaps of ours, in the order in which equal quotes are preferred. */
const ownProviders = Effect.all([PoolSwapProvider.make])

export const layerSwapProviders = ({
  aggregators = [],
  swapProviders = ownProviders
}: Pick<Settings, "aggregators" | "swapProviders">) =>
  Layer.effect(
    SwapProviders,
    Effect.gen(function* () {
      const brought = (yield* Extensions).flatMap((extension) => extension.swapProviders ?? [])
      return [...(yield* swapProviders), ...(yield* swapProvidersOf(aggregators)), ...brought]
    })
  )
