import { Effect } from "effect"
import { deploymentOf } from "../../../chains/deployments/index.ts"
import { aggregatorHost } from "../AggregatorHost.ts"
import { routingProvider } from "../routingProvider.ts"
import { readVeloraCall } from "./readVeloraCall.ts"
import { NAME, veloraApi } from "./VeloraApi.ts"

export interface VeloraOptions {
  /** Null for Velora's own. */
  readonly url: string | null
  readonly timeoutMs: number
}

export const VELORA_URL = "https://api.velora.xyz"

/** According to its documentation routes are rejected after about thirty seconds; their prices are valid for less. */
const ROUTE_LASTS_MS = 10_000

/** Third-party pools on one chain, by Velora (formerly ParaSwap). */
export const make = Effect.fnUntraced(function* ({ timeoutMs, url }: VeloraOptions) {
  // Its limits are not published: it reports when they are reached.
  const host = aggregatorHost({ title: NAME, url: url ?? VELORA_URL, headers: {}, timeoutMs, pace: null })
  return routingProvider({
    id: "VELORA",
    name: NAME,
    routerOn: (chainId) => deploymentOf(chainId).veloraRouter,
    routeLastsMs: ROUTE_LASTS_MS,
    ...veloraApi(host),
    reader: ({ sender }) => readVeloraCall(sender)
  })
})
