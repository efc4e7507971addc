import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { type Call, inclusionEstimateMs } from "@countersign/core/operations/user-operations"
import type { Offer, OfferError, OfferRequest, OfferTerms, SwapProvider } from "@countersign/core/trading/swap"
import { Clock, Effect } from "effect"
import { requireFaultless } from "./refusedRoutes.ts"
import { runFault } from "./runFault.ts"

/** A route for an amount, with the time of the aggregator's response. */
export interface TimedRoute {
  /** Expected output in base units of `tokenOut`. */
  readonly amountOut: bigint
  readonly foundAtMs: number
}

/** The stages and notices that follow after the route's transaction is included. */
interface DeliveryPlan extends Pick<Offer, "stages" | "notices"> {
  readonly seconds: number
}

/** The data from which an aggregator's offers are made. */
export interface RouteOffers<R extends TimedRoute> {
  readonly provider: Pick<SwapProvider, "id" | "name">
  /** Returns the router that the calls on a chain must use. */
  readonly routerOn: (chainId: EvmChainId) => Address
  /** Maximum age of a route in milliseconds; afterwards it is requested again. */
  readonly maxAgeMs: number
  readonly routeFor: (request: OfferRequest) => Effect.Effect<R, OfferError>
  readonly callsOf: (
    chainId: EvmChainId,
    request: OfferRequest,
    route: R,
    terms: OfferTerms
  ) => Effect.Effect<ReadonlyArray<Call>, OfferError>
  /** Returns the cache key of the built calls. Terms with the same key result in the same calls. */
  readonly keyOf: (terms: OfferTerms) => string
  readonly afterwardsOf: (request: OfferRequest, route: R) => DeliveryPlan
}

export const isFresh = ({ foundAtMs }: TimedRoute, maxAgeMs: number): Effect.Effect<boolean> =>
  Effect.map(Clock.currentTimeMillis, (now) => now - foundAtMs < maxAgeMs)

/**
 * Creates the offer of a route. The built calls are cached by key. `check` verifies the simulation of an operation with
 * these calls.
 */
export const routeOffers = <R extends TimedRoute>({
  afterwardsOf,
  callsOf,
  keyOf,
  maxAgeMs,
  provider,
  routeFor,
  routerOn
}: RouteOffers<R>): ((chainId: EvmChainId, request: OfferRequest, route: R) => Offer) => {
  /** `others` contains the routes for other amounts of the same swap. */
  const offerOf = (
    chainId: EvmChainId,
    request: OfferRequest,
    route: R,
    others: Map<bigint, readonly [R, Offer]>
  ): Offer => {
    const { amountIn, tokenIn, tokenOut } = request
    const { amountOut } = route
    const { seconds, ...afterwards } = afterwardsOf(request, route)
    const [venue, through] = [provider.name, routerOn(chainId)]
    const builtCalls = new Map<string, ReadonlyArray<Call>>()
    const offer: Offer = {
      ...request,
      amountOut,
      certainty: "EXPECTED",
      blockNumber: null,
      // The offer contains no pools, because only the API states them and the service does not verify them.
      route: [
        {
          amountIn,
          amountOut,
          hops: [{ venue, through, poolId: null, feePips: null, tokenIn: tokenIn.address, tokenOut: tokenOut.address }]
        }
      ],
      fees: [],
      executionSeconds: inclusionEstimateMs(chainId) / 1_000 + seconds,
      ...afterwards,
      requoteAmount: Effect.fnUntraced(function* (otherAmount) {
        const knownRoute = others.get(otherAmount)
        if (knownRoute !== undefined && (yield* isFresh(knownRoute[0], maxAgeMs))) return knownRoute[1]
        const nextRequest = { ...request, amountIn: otherAmount }
        return offerOf(chainId, nextRequest, yield* routeFor(nextRequest), others)
      }),
      requestFollowUp: null,
      intent: {
        _tag: "Calls",
        buildCalls: Effect.fnUntraced(function* (terms) {
          const key = keyOf(terms)
          const calls = builtCalls.get(key) ?? (yield* callsOf(chainId, request, route, terms))
          builtCalls.set(key, calls)
          return calls
        }),
        checkSimulation: (run, terms) => requireFaultless(provider, runFault(request, run, terms))
      }
    }
    others.set(amountIn, [route, offer])
    return offer
  }

  return (chainId, request, route) => offerOf(chainId, request, route, new Map())
}
