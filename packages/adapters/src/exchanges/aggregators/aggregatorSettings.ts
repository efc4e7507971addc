import type { BitcoinChain, BitcoinTransactions } from "@countersign/core/bitcoin/chain"
import type { RateLimitStore } from "@countersign/core/tenancy/metering"
import type { SwapProvider } from "@countersign/core/trading/swap"
import { Effect } from "effect"
import type { RpcClients } from "../../chains/evm/index.ts"
import { type KyberSwapOptions, KyberSwapProvider } from "./kyberswap/index.ts"
import { type LiFiContext, type LiFiOptions, LiFiProvider } from "./lifi/index.ts"
import { type VeloraOptions, VeloraProvider } from "./velora/index.ts"

export type AggregatorSettings =
  | ({ readonly _tag: "KyberSwap" } & KyberSwapOptions)
  | ({ readonly _tag: "LiFi" } & LiFiOptions)
  | ({ readonly _tag: "Velora" } & VeloraOptions)

export const aggregatorDefaults = {
  /** Milliseconds. A response with all quotes waits at most this time for an aggregator's request. */
  timeoutMs: 2_000,
  /** Client name that the API receives. */
  name: "countersign",
  /** The limit in KyberSwap's documentation for API clients without an agreement. */
  kyberSwapRequestsPerSecond: 3
} as const

/** Creates a swap provider for each configured aggregator. */
export const swapProvidersOf = (
  aggregators: ReadonlyArray<AggregatorSettings>,
  context: LiFiContext
): Effect.Effect<
  ReadonlyArray<SwapProvider>,
  never,
  BitcoinChain | BitcoinTransactions | RateLimitStore | RpcClients
> =>
  Effect.forEach(aggregators, (aggregator) => {
    switch (aggregator._tag) {
      case "KyberSwap":
        return KyberSwapProvider.make(aggregator)
      case "Velora":
        return VeloraProvider.make(aggregator)
      case "LiFi":
        return LiFiProvider.make(aggregator, context)
    }
  })
