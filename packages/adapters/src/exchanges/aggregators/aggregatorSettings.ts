import type { BitcoinChain, BitcoinTransactions } from "@countersign/core/bitcoin/chain"
import type { RateLimitStore } from "@countersign/core/tenancy/metering"
import type { SwapProvider } from "@countersign/core/trading/swap"
import { Effect } from "effect"
import type { RpcClients } from "../../chains/evm/index.ts"
import { type KyberSwapOptions, KyberSwapProvider } from "./kyberswap/index.ts"
import { type LiFiOptions, LiFiProvider, type LiFiSurroundings } from "./lifi/index.ts"
import { type VeloraOptions, VeloraProvider } from "./velora/index.ts"

/** An aggregator that is asked for quotes beside the pools, with how it is asked. */
export type AggregatorSettings =
  | ({ readonly _tag: "KyberSwap" } & KyberSwapOptions)
  | ({ readonly _tag: "LiFi" } & LiFiOptions)
  | ({ readonly _tag: "Velora" } & VeloraOptions)

/** How aggregators are asked where nothing else is set. */
export const aggregatorDefaults = {
  /** Quotes of all providers wait for it. */
  timeoutMs: 2_000,
  /** Who asks. */
  name: "countersign",
  /** What KyberSwap's documentation says of requests without an agreement. */
  kyberSwapRequestsPerSecond: 3
} as const

/** A provider of swaps for each aggregator. */
export const swapProvidersOf = (
  aggregators: ReadonlyArray<AggregatorSettings>,
  surroundings: LiFiSurroundings
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
        return LiFiProvider.make(aggregator, surroundings)
    }
  })
