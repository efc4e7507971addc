import { chainOf, isEvmChainId } from "@countersign/core/foundation/chains"
import { Address, HexBytes } from "@countersign/core/foundation/primitives"
import type { Call } from "@countersign/core/operations/user-operations"
import {
  type Offer,
  type OfferError,
  type OfferRequest,
  type OfferTerms,
  RouteNotFound,
  type SwapProvider
} from "@countersign/core/trading/swap"
import { Effect, Predicate, Schema } from "effect"
import type { HostCall, HostFollow, HostOffer, HostSwapProvider } from "./HostSwapProvider.ts"
import { hostStagePlan, hostStages } from "./hostStage.ts"
import { runHostCode } from "./runHostCode.ts"

const isFunction = (value: unknown): value is HostOffer["calls"] => typeof value === "function"

const isOffer = Schema.is(
  Schema.Struct({
    amountOut: Schema.BigInt.check(Schema.isGreaterThanBigInt(0n)),
    executionSeconds: Schema.optional(Schema.Finite.check(Schema.isGreaterThan(0))),
    calls: Schema.declare(isFunction)
  })
)

const isCallList = Schema.is(
  Schema.Array(
    Schema.Struct({
      to: Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{40}$/u)),
      value: Schema.optional(Schema.BigInt.check(Schema.isGreaterThanOrEqualToBigInt(0n))),
      data: Schema.String.check(Schema.isPattern(/^0x(?:[0-9a-fA-F]{2})*$/u)),
      summary: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(500))
    })
  ).check(Schema.isMinLength(1), Schema.isMaxLength(50))
)

const callOf = ({ data, summary, to, value = 0n }: HostCall): Call => ({
  to: Address.make(to.toLowerCase()),
  value,
  data: HexBytes.make(data.toLowerCase()),
  summary
})

const callProvider = <A>(provider: HostSwapProvider, providerCall: (signal: AbortSignal) => A | Promise<A>) =>
  Effect.mapError(runHostCode(provider, providerCall), () => noRoute(provider, "it failed"))

const noRoute = (provider: HostSwapProvider, reason: string) => new RouteNotFound({ provider: provider.name, reason })

const callsOf = (provider: HostSwapProvider, offer: HostOffer, terms: OfferTerms) =>
  Effect.flatMap(
    callProvider(provider, () => offer.calls(terms)),
    (calls: unknown) =>
      isCallList(calls)
        ? Effect.succeed(calls.map((call) => callOf(call as HostCall)))
        : Effect.fail(noRoute(provider, "its calls are not valid"))
  )

const offerOf = (provider: HostSwapProvider, request: OfferRequest): Effect.Effect<Offer, OfferError> =>
  Effect.gen(function* () {
    const { amountIn, tokenIn, tokenOut } = request
    const response: unknown = yield* callProvider(provider, (signal) =>
      provider.offer({ tokenIn, tokenOut, amountIn, signal })
    )
    if (response === null) return yield* noRoute(provider, "it returned no offer for these tokens and this amount")
    if (!isOffer(response)) return yield* noRoute(provider, "its result is not a valid offer")
    const offer = response as HostOffer
    return {
      ...request,
      amountOut: offer.amountOut,
      certainty: "FLOOR",
      blockNumber: null,
      route: [],
      fees: [],
      executionSeconds: offer.executionSeconds ?? chainOf(tokenIn.chainId).blockTimeMs / 1_000,
      stages: tokenIn.chainId === tokenOut.chainId ? [] : [hostStagePlan(provider)],
      requoteAmount: (amount) => offerOf(provider, { ...request, amountIn: amount }),
      // The host's code does not return whether an earlier swap of the operation changes the price.
      requestFollowUp: null,
      intent: { _tag: "Calls", buildCalls: (terms) => callsOf(provider, offer, terms) }
    }
  })

/** Adapts a provider of the host to the core's port. */
export const swapProviderOf = (provider: HostSwapProvider): SwapProvider => ({
  id: provider.id,
  name: provider.name,
  serves: ({ chainIdIn, chainIdOut, isLimitOrder }) => {
    if (isLimitOrder || !isEvmChainId(chainIdIn) || !isEvmChainId(chainIdOut)) return false
    const isWithinChain = chainIdIn === chainIdOut
    if (!isWithinChain && provider.follow === undefined) return false
    try {
      return provider.serves?.({ chainIdIn, chainIdOut }) ?? isWithinChain
    } catch {
      return false
    }
  },
  ...(provider.follow === undefined ? {} : { stages: hostStages(provider, provider.follow) }),
  offer: (request) => offerOf(provider, request)
})

const isHostFollow = Schema.is(
  Schema.UndefinedOr(
    Schema.Struct({
      patienceSeconds: Schema.optional(Schema.Finite.check(Schema.isGreaterThan(0))),
      status: Schema.declare((value): value is HostFollow["status"] => typeof value === "function")
    })
  )
)

export const isHostSwapProvider = (value: unknown): value is HostSwapProvider =>
  Predicate.hasProperty(value, "id") &&
  /^[A-Z0-9_]{1,64}$/u.test(String(value.id)) &&
  Predicate.hasProperty(value, "name") &&
  typeof value.name === "string" &&
  Predicate.hasProperty(value, "offer") &&
  typeof value.offer === "function" &&
  (!Predicate.hasProperty(value, "follow") || isHostFollow(value.follow))
