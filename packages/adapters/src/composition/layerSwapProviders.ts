import type { EvmChainId } from "@countersign/core/chains"
import { SwapProviders } from "@countersign/core/swap"
import { Effect, Layer } from "effect"
import { AcrossSwapProvider, makeHttpAcrossFees } from "../across/index.ts"
import { swapProvidersOf } from "../aggregators/index.ts"
import { CowSwapProvider } from "../cow/index.ts"
import { PoolSwapProvider } from "../uniswap/index.ts"
import { Extensions } from "./Extension.ts"
import type { Settings } from "./Settings.ts"

type ProviderSettings = Pick<Settings, "across" | "aggregators" | "rpcUrls" | "swapProviders">

const withAcross = Effect.fnUntraced(function* (
  swaps: SwapProviders["Service"][number],
  { across, rpcUrls }: ProviderSettings
) {
  if (across === undefined) return []
  const fees = yield* makeHttpAcrossFees(across)
  const isServed = (chainId: EvmChainId) => rpcUrls(chainId).length > 0
  return [yield* AcrossSwapProvider.make({ fees, swaps, isServed, integratorId: across.integratorId ?? null })]
})

/** Every provider of swaps of ours, in the order in which equal quotes are preferred. */
const ownProviders = Effect.fnUntraced(function* (settings: ProviderSettings) {
  const pools = yield* PoolSwapProvider.make
  return [pools, ...(yield* withAcross(pools, settings))]
})

export const layerSwapProviders = (settings: ProviderSettings) =>
  Layer.effect(
    SwapProviders,
    Effect.gen(function* () {
      const brought = (yield* Extensions).flatMap((extension) => extension.swapProviders ?? [])
      const own = yield* settings.swapProviders ?? ownProviders(settings)
      const aggregators = yield* swapProvidersOf(settings.aggregators ?? [])
      return [...own, ...aggregators, yield* CowSwapProvider.make, ...brought]
    })
  )
