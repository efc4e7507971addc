import { Effect } from "effect"
import { deploymentOf } from "../../../chains/deployments/index.ts"
import { aggregatorHost } from "../AggregatorHost.ts"
import { routingProvider } from "../routingProvider.ts"
import { readVeloraCall } from "./readVeloraCall.ts"
import { NAME, veloraApi } from "./VeloraApi.ts"

export interface VeloraOptions {
  /** Null for Velora's own URL. */
  readonly url: string | null
  readonly timeoutMs: number
}

export const VELORA_URL = "https://api.velora.xyz"

/** By Velora's documentation routes are rejected after thirty seconds. Their prices are valid for less time. */
const ROUTE_TTL_MS = 10_000

/** Swaps through third-party pools on one chain, by Velora (formerly ParaSwap). */
export const make = Effect.fnUntraced(function* ({ timeoutMs, url }: VeloraOptions) {
  // Velora does not publish its limits. It returns an error when they are reached.
  const host = aggregatorHost({ title: NAME, url: url ?? VELORA_URL, headers: {}, timeoutMs, pace: null })
  return routingProvider({
    id: "VELORA",
    name: NAME,
    routerOn: (chainId) => deploymentOf(chainId).veloraRouter,
    routeTtlMs: ROUTE_TTL_MS,
    ...veloraApi(host),
    reader: ({ sender }) => readVeloraCall(sender)
  })
})
