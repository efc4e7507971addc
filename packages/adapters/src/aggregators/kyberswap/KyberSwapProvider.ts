import { type EvmChainId, isEvmChainId } from "@countersign/core/chains"
import { coalesce } from "@countersign/core/primitives"
import {
  type Offer,
  type OfferError,
  type OfferRequest,
  type OfferTerms,
  RouteNotFound,
  type SwapProvider
} from "@countersign/core/swap"
import { type Call, inclusionEstimateMs } from "@countersign/core/user-operations"
import { Clock, Effect } from "effect"
import { deploymentOf } from "../../deployments/index.ts"
import { makeAggregatorHost } from "../AggregatorHost.ts"
import { callFault } from "../callFault.ts"
import { requireFaultless } from "../refusedRoutes.ts"
import { routeCalls } from "../routeCalls.ts"
import { runFault } from "../runFault.ts"
import { type KyberSwapRoute, kyberSwapApi, NAME } from "./KyberSwapApi.ts"
import { readKyberSwapCall } from "./readKyberSwapCall.ts"

export interface KyberSwapOptions {
  /** Null for KyberSwap's own. */
  readonly url: string | null
  /** Who asks, as KyberSwap's limits know it. */
  readonly clientId: string
  /** Those that KyberSwap takes of this process. */
  readonly requestsPerSecond: number
  readonly timeoutMs: number
}

export const KYBERSWAP_URL = "https://aggregator-api.kyberswap.com"

const ID = "KYBERSWAP"
const provided = { id: ID, name: NAME }

/** Its documentation has routes asked for again after this time. */
const ROUTE_LASTS_MS = 5_000
const MAX_SLIPPAGE_BPS = 2_000n
const BPS = 10_000n

interface TimedRoute extends KyberSwapRoute {
  readonly foundAtMs: number
}

/** The largest slippage by which the least output is no less than ours; null where the route gives less already. */
const slippageBpsOrNull = (amountOut: bigint, minAmountOut: bigint): number | null => {
  if (amountOut < minAmountOut) return null
  const bps = ((amountOut - minAmountOut) * BPS) / amountOut
  return Number(bps > MAX_SLIPPAGE_BPS ? MAX_SLIPPAGE_BPS : bps)
}

/** The pools of others on one chain, as KyberSwap's aggregator routes over them. */
export const make = Effect.fnUntraced(function* ({ clientId, requestsPerSecond, timeoutMs, url }: KyberSwapOptions) {
  const host = yield* makeAggregatorHost({
    title: NAME,
    url: url ?? KYBERSWAP_URL,
    headers: { "x-client-id": clientId },
    timeoutMs,
    pace: { requests: requestsPerSecond, windowMs: 1_000 }
  })
  const api = kyberSwapApi(host, clientId)
  const once = coalesce<TimedRoute, OfferError>()

  /** Who asks again while the first answer is on its way, as for a second chance, gets that one. */
  const routeFor = (request: OfferRequest) => {
    const { amountIn, tokenIn, tokenOut } = request
    const asking = Effect.flatMap(api.route(request), (route) =>
      Effect.map(Clock.currentTimeMillis, (foundAtMs): TimedRoute => ({ ...route, foundAtMs }))
    )
    return once(`${tokenIn.chainId} ${tokenIn.address} ${tokenOut.address} ${amountIn}`, asking)
  }

  const isFresh = ({ foundAtMs }: TimedRoute) =>
    Effect.map(Clock.currentTimeMillis, (now) => now - foundAtMs < ROUTE_LASTS_MS)

  const callsOf = Effect.fnUntraced(function* (
    chainId: EvmChainId,
    request: OfferRequest,
    found: TimedRoute,
    terms: OfferTerms
  ): Effect.fn.Return<ReadonlyArray<Call>, OfferError> {
    const target = deploymentOf(chainId).kyberSwapRouter!
    const route = (yield* isFresh(found)) ? found : yield* routeFor(request)
    const slippageBps = slippageBpsOrNull(route.amountOut, terms.minAmountOut)
    if (slippageBps === null) {
      return yield* new RouteNotFound({ provider: NAME, reason: "it gives less now than the least that was asked for" })
    }
    const transaction = yield* api.build(chainId, route, terms, slippageBps)
    yield* requireFaultless(provided, callFault({ request, terms, target }, transaction, readKyberSwapCall))
    return routeCalls(NAME, request, terms, target, transaction)
  })

  /** The offer of a route; `others` are those for further amounts of the same swap. */
  const offerOf = (
    chainId: EvmChainId,
    request: OfferRequest,
    route: TimedRoute,
    others = new Map<bigint, readonly [TimedRoute, Offer]>()
  ): Offer => {
    const { amountIn, tokenIn, tokenOut } = request
    const { amountOut } = route
    const through = deploymentOf(chainId).kyberSwapRouter!
    /** The calls by their terms: each plan with the same terms has the same calls. */
    const built = new Map<string, ReadonlyArray<Call>>()
    const offer: Offer = {
      ...request,
      amountOut,
      certainty: "EXPECTED",
      blockNumber: null,
      // Which pools it goes through its API says, and nothing bears out.
      route: [
        {
          amountIn,
          amountOut,
          hops: [
            { venue: NAME, through, poolId: null, feePips: null, tokenIn: tokenIn.address, tokenOut: tokenOut.address }
          ]
        }
      ],
      fees: [],
      executionSeconds: inclusionEstimateMs(chainId) / 1_000,
      stages: [],
      forAmount: Effect.fnUntraced(function* (other) {
        const known = others.get(other)
        if (known !== undefined && (yield* isFresh(known[0]))) return known[1]
        const next = { ...request, amountIn: other }
        return offerOf(chainId, next, yield* routeFor(next), others)
      }),
      afterwards: null,
      intent: {
        _tag: "Calls",
        calls: Effect.fnUntraced(function* (terms) {
          const key = `${terms.sender} ${terms.recipient} ${terms.minAmountOut} ${terms.deadline}`
          const calls = built.get(key) ?? (yield* callsOf(chainId, request, route, terms))
          built.set(key, calls)
          return calls
        }),
        check: (run, terms) => requireFaultless(provided, runFault(request, run, terms))
      }
    }
    others.set(amountIn, [route, offer])
    return offer
  }

  const provider: SwapProvider = {
    ...provided,
    serves: ({ chainIdIn, chainIdOut, isLimitOrder }) =>
      isEvmChainId(chainIdIn) &&
      chainIdIn === chainIdOut &&
      !isLimitOrder &&
      deploymentOf(chainIdIn).kyberSwapRouter !== undefined,
    offer: Effect.fnUntraced(function* (request) {
      const { chainId } = request.tokenIn
      if (!isEvmChainId(chainId) || deploymentOf(chainId).kyberSwapRouter === undefined) {
        return yield* new RouteNotFound({ provider: NAME, reason: "it does not serve this chain" })
      }
      if (request.tokenOut.chainId !== chainId) {
        return yield* new RouteNotFound({ provider: NAME, reason: "each of its routes is on a single chain" })
      }
      return offerOf(chainId, request, yield* routeFor(request))
    })
  }
  return provider
})
