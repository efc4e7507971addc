import { Effect } from "effect"
import { deploymentOf } from "../../../chains/deployments/index.ts"
import { aggregatorHost } from "../AggregatorHost.ts"
import { routingProvider } from "../routingProvider.ts"
import { kyberSwapApi, NAME } from "./KyberSwapApi.ts"
import { readKyberSwapCall } from "./readKyberSwapCall.ts"

export interface KyberSwapOptions {
  /** Base URL of the API; null for KyberSwap's own URL. */
  readonly url: string | null
  /** Client id, which KyberSwap uses for its rate limits. */
  readonly clientId: string
  /** Rate limit for requests from this process. */
  readonly requestsPerSecond: number
  readonly timeoutMs: number
}

export const KYBERSWAP_URL = "https://aggregator-api.kyberswap.com"

/** Maximum age of a route in milliseconds, according to KyberSwap's documentation. */
const ROUTE_TTL_MS = 5_000
const MAX_SLIPPAGE_BPS = 2_000n
const BPS = 10_000n

/**
 * Returns the largest slippage, in basis points, whose minimum output is at least the requested one. At most
 * `MAX_SLIPPAGE_BPS`.
 */
const slippageBps = (amountOut: bigint, minAmountOut: bigint): number => {
  const bps = ((amountOut - minAmountOut) * BPS) / amountOut
  return Number(bps > MAX_SLIPPAGE_BPS ? MAX_SLIPPAGE_BPS : bps)
}

/** Creates the provider of same-chain swaps through third-party pools by KyberSwap's aggregator. */
export const make = Effect.fnUntraced(function* ({ clientId, requestsPerSecond, timeoutMs, url }: KyberSwapOptions) {
  const host = aggregatorHost({
    title: NAME,
    url: url ?? KYBERSWAP_URL,
    headers: { "x-client-id": clientId },
    timeoutMs,
    pace: { requests: requestsPerSecond, windowMs: 1_000 }
  })
  const api = kyberSwapApi(host, clientId)
  return routingProvider({
    id: "KYBERSWAP",
    name: NAME,
    routerOn: (chainId) => deploymentOf(chainId).kyberSwapRouter,
    routeTtlMs: ROUTE_TTL_MS,
    route: api.route,
    transaction: (chainId, _request, route, terms) =>
      api.build(chainId, route, terms, slippageBps(route.amountOut, terms.minAmountOut)),
    reader: () => readKyberSwapCall
  })
})
