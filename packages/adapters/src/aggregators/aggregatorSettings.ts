import type { SwapProvider } from "@countersign/core/swap"
import { Effect } from "effect"
import { type KyberSwapOptions, KyberSwapProvider } from "./kyberswap/index.ts"

/** An aggregator that is asked for quotes beside the pools, with how it is asked. */
export type AggregatorSettings = { readonly _tag: "KyberSwap" } & KyberSwapOptions

/** A provider of swaps for each aggregator. */
export const swapProvidersOf = (
  aggregators: ReadonlyArray<AggregatorSettings>
): Effect.Effect<ReadonlyArray<SwapProvider>> => Effect.forEach(aggregators, KyberSwapProvider.make)
