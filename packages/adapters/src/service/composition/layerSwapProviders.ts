import type { EvmChainId } from "@countersign/core/foundation/chains"
import { SwapProviders } from "@countersign/core/trading/swap"
import { Effect, Layer } from "effect"
import { AcrossSwapProvider, type FillTimes, httpAcrossFees, makeFillTimes } from "../../exchanges/across/index.ts"
import { swapProvidersOf } from "../../exchanges/aggregators/index.ts"
import { CowSwapProvider } from "../../exchanges/cow/index.ts"
import { ThorchainSwapProvider } from "../../exchanges/thorchain/index.ts"
import { PoolSwapProvider } from "../../exchanges/uniswap/index.ts"
import { Extensions } from "./Extension.ts"
import type { Settings } from "./Settings.ts"

type ProviderSettings = Pick<Settings, "across" | "aggregators" | "bitcoin" | "rpcUrls" | "swapProviders" | "thorchain">

const addAcross = Effect.fnUntraced(function* (
  swaps: SwapProviders["Service"][number],
  { across, rpcUrls }: ProviderSettings,
  times: FillTimes
) {
  if (across === undefined) return []
  const fees = httpAcrossFees(across)
  const isServed = (chainId: EvmChainId) => rpcUrls(chainId).length > 0
  return [yield* AcrossSwapProvider.make({ fees, swaps, isServed, integratorId: across.integratorId ?? null, times })]
})

const hasBitcoinConnection = ({ bitcoin }: Pick<ProviderSettings, "bitcoin">): boolean =>
  (bitcoin?.esploraUrls ?? []).length > 0

/** Adds THORChain if Bitcoin is configured, because the service tracks deposits on Bitcoin. */
const addThorchain = Effect.fnUntraced(function* (settings: ProviderSettings) {
  const { rpcUrls, thorchain } = settings
  if (thorchain === undefined || !hasBitcoinConnection(settings)) return []
  return [yield* ThorchainSwapProvider.make({ url: thorchain.url, isServed: (chainId) => rpcUrls(chainId).length > 0 })]
})

/**
 * Creates the pool provider, and Across and THORChain if they are configured, in order of preference among equal
 * quotes.
 */
const createOwnProviders = Effect.fnUntraced(function* (settings: ProviderSettings, times: FillTimes) {
  const pools = yield* PoolSwapProvider.make
  return [pools, ...(yield* addAcross(pools, settings, times)), ...(yield* addThorchain(settings))]
})

export const layerSwapProviders = (settings: ProviderSettings) =>
  Layer.effect(
    SwapProviders,
    Effect.gen(function* () {
      const extensionProviders = (yield* Extensions).flatMap((extension) => extension.swapProviders ?? [])
      const times = yield* makeFillTimes
      const builtInProviders = yield* settings.swapProviders ?? createOwnProviders(settings, times)
      const aggregators = yield* swapProvidersOf(settings.aggregators ?? [], {
        isServed: (chainId) => settings.rpcUrls(chainId).length > 0,
        hasBitcoinConnection: hasBitcoinConnection(settings),
        hasAcross: builtInProviders.some(({ id }) => id === "ACROSS"),
        times
      })
      return [...builtInProviders, ...aggregators, yield* CowSwapProvider.make, ...extensionProviders]
    })
  )
