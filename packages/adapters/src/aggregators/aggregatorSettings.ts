import type { RateLimitStore } from "@countersign/core/metering"
import type { SwapProvider } from "@countersign/core/swap"
import { Effect } from "effect"
import type { RpcClients } from "../evm/index.ts"
import { type KyberSwapOptions, KyberSwapProvider } from "./kyberswap/index.ts"
import { type LiFiOptions, LiFiProvider } from "./lifi/index.ts"

/** An aggregator that is asked for quotes beside the pools, with how it is asked. */
export type AggregatorSettings =
  | ({ readonly _tag: "KyberSwap" } & KyberSwapOptions)
  | ({ readonly _tag: "LiFi" } & LiFiOptions)

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
  aggregators: ReadonlyArray<AggregatorSettings>
): Effect.Effect<ReadonlyArray<SwapProvider>, never, RateLimitStore | RpcClients> =>
  Effect.forEach(aggregators, (aggregator) =>
    aggregator._tag === "KyberSwap" ? KyberSwapProvider.make(aggregator) : LiFiProvider.make(aggregator)
  )
