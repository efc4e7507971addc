import { type EvmChainId, isEvmChainId } from "@countersign/core/foundation/chains"
import { type Address, coalesce } from "@countersign/core/foundation/primitives"
import type { Call } from "@countersign/core/operations/user-operations"
import {
  type OfferError,
  type OfferRequest,
  type OfferTerms,
  RouteNotFound,
  type SwapProvider
} from "@countersign/core/trading/swap"
import { Clock, Effect } from "effect"
import { callFault } from "./callFault.ts"
import type { RouteReader, RouteTransaction } from "./RouteCall.ts"
import { requireFaultless } from "./refusedRoutes.ts"
import { routeCalls } from "./routeCalls.ts"
import { isFresh, routeOffers, type TimedRoute } from "./routeOffers.ts"

/** A route for an amount, as the aggregator's API returns it. */
export type FoundRoute = Pick<TimedRoute, "amountOut">

/**
 * An aggregator that returns a route first, and the transaction once the owner is known. It serves one chain at a time.
 */
export interface RoutingAggregator<R extends FoundRoute> {
  readonly id: string
  readonly name: string
  /** Returns the only contract that the calls may use; undefined if the aggregator does not serve the chain. */
  readonly routerOn: (chainId: EvmChainId) => Address | undefined
  /** Maximum age of a route in milliseconds; afterwards it is requested again. */
  readonly routeTtlMs: number
  readonly route: (request: OfferRequest) => Effect.Effect<R, OfferError>
  /** Requests the transaction of a route. The transaction must enforce at least the minimum output of the terms. */
  readonly transaction: (
    chainId: EvmChainId,
    request: OfferRequest,
    route: R,
    terms: OfferTerms
  ) => Effect.Effect<RouteTransaction, OfferError>
  readonly reader: (terms: OfferTerms) => RouteReader
}

/**
 * Creates the swap provider for an aggregator that returns a route first. Each call is decoded and simulated before it is
 * offered.
 */
export const routingProvider = <R extends FoundRoute>(aggregator: RoutingAggregator<R>): SwapProvider => {
  const { id, name, routeTtlMs, routerOn } = aggregator
  const coalescedRoutes = coalesce<R & TimedRoute, OfferError>()

  /** Concurrent identical requests, such as hedged ones, share one response. */
  const routeFor = (request: OfferRequest) => {
    const { amountIn, tokenIn, tokenOut } = request
    const routeRequest = Effect.flatMap(aggregator.route(request), (route) =>
      Effect.map(Clock.currentTimeMillis, (foundAtMs): R & TimedRoute => ({ ...route, foundAtMs }))
    )
    return coalescedRoutes(`${tokenIn.chainId} ${tokenIn.address} ${tokenOut.address} ${amountIn}`, routeRequest)
  }

  const callsOf = Effect.fnUntraced(function* (
    chainId: EvmChainId,
    request: OfferRequest,
    quotedRoute: R & TimedRoute,
    terms: OfferTerms
  ): Effect.fn.Return<ReadonlyArray<Call>, OfferError> {
    const target = routerOn(chainId)!
    const route = (yield* isFresh(quotedRoute, routeTtlMs)) ? quotedRoute : yield* routeFor(request)
    if (route.amountOut < terms.minAmountOut) {
      return yield* new RouteNotFound({
        provider: name,
        reason: "its current output is below the requested minimum output"
      })
    }
    const transaction = yield* aggregator.transaction(chainId, request, route, terms)
    yield* requireFaultless(aggregator, callFault({ request, terms, target }, transaction, aggregator.reader(terms)))
    return routeCalls(name, request, terms, target, transaction)
  })

  const offerOf = routeOffers({
    provider: aggregator,
    routerOn: (chainId) => routerOn(chainId)!,
    maxAgeMs: routeTtlMs,
    routeFor,
    callsOf,
    keyOf: ({ deadline, minAmountOut, recipient, sender }) => `${sender} ${recipient} ${minAmountOut} ${deadline}`,
    afterwardsOf: () => ({ seconds: 0, stages: [] })
  })

  return {
    id,
    name,
    serves: ({ chainIdIn, chainIdOut, isLimitOrder }) =>
      isEvmChainId(chainIdIn) && chainIdIn === chainIdOut && !isLimitOrder && routerOn(chainIdIn) !== undefined,
    offer: Effect.fnUntraced(function* (request) {
      const { chainId } = request.tokenIn
      if (!isEvmChainId(chainId) || routerOn(chainId) === undefined) {
        return yield* new RouteNotFound({ provider: name, reason: "it does not support this chain" })
      }
      if (request.tokenOut.chainId !== chainId) {
        return yield* new RouteNotFound({ provider: name, reason: "it has no cross-chain routes" })
      }
      return offerOf(chainId, request, yield* routeFor(request))
    })
  }
}
