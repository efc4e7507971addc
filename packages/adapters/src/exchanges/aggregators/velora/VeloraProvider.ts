import { Effect } from "effect"
import { deploymentOf } from "../../../chains/deployments/index.ts"
import { aggregatorHost } from "../AggregatorHost.ts"
import { routingProvider } from "../routingProvider.ts"
import { readVeloraCall } from "./readVeloraCall.ts"
import { NAME, veloraApi } from "./VeloraApi.ts"

export interface VeloraOptions {
  /** Base URL of the API; null for Velora's own URL. */
  readonly url: string | null
  readonly timeoutMs: number
}

export const VELORA_URL = "https://api.velora.xyz"

/**
 * Maximum age of a route in milliseconds. According to its documentation, Velora rejects routes that are older than 30
 * seconds, but prices change sooner.
 */
const ROUTE_TTL_MS = 10_000

/** Creates the provider of same-chain swaps through third-party pools by Velora (formerly ParaSwap). */
export const make = Effect.fnUntraced(function* ({ timeoutMs, url }: VeloraOptions) {
  // Velora does not publish its rate limits. It returns an error if a limit is exceeded.
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
