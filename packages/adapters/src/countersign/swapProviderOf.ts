import { chainOf, isEvmChainId } from "@countersign/core/chains"
import { Address, HexBytes } from "@countersign/core/primitives"
import {
  type Offer,
  type OfferError,
  type OfferRequest,
  type OfferTerms,
  RouteNotFound,
  type SwapProvider
} from "@countersign/core/swap"
import type { Call } from "@countersign/core/user-operations"
import { Effect, Predicate, Schema } from "effect"
import type { HostCall, HostOffer, HostSwapProvider } from "./HostSwapProvider.ts"

const isFunction = (value: unknown): value is HostOffer["calls"] => typeof value === "function"

const isOffer = Schema.is(
  Schema.Struct({
    amountOut: Schema.BigInt.check(Schema.isGreaterThanBigInt(0n)),
    executionSeconds: Schema.optional(Schema.Finite.check(Schema.isGreaterThan(0))),
    calls: Schema.declare(isFunction)
  })
)

const areCalls = Schema.is(
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

/**
 * What the host's code answers. Where it throws, the error is logged and named to nobody: it may hold what is the
 * host's alone.
 */
const ask = <A>(provider: HostSwapProvider, question: (signal: AbortSignal) => A | Promise<A>) =>
  Effect.tryPromise({ try: async (signal) => question(signal), catch: (thrown) => thrown }).pipe(
    Effect.tapError((thrown) =>
      Effect.annotateLogs(Effect.logError("a swap provider of the host failed", thrown), { provider: provider.id })
    ),
    Effect.mapError(() => noRoute(provider, "it failed"))
  )

const noRoute = (provider: HostSwapProvider, reason: string) => new RouteNotFound({ provider: provider.name, reason })

const callsOf = (provider: HostSwapProvider, offer: HostOffer, terms: OfferTerms) =>
  Effect.flatMap(
    ask(provider, () => offer.calls(terms)),
    (calls: unknown) =>
      areCalls(calls)
        ? Effect.succeed(calls.map((call) => callOf(call as HostCall)))
        : Effect.fail(noRoute(provider, "what it wants to be called is not well formed"))
  )

const offerOf = (provider: HostSwapProvider, request: OfferRequest): Effect.Effect<Offer, OfferError> =>
  Effect.gen(function* () {
    const { amountIn, tokenIn, tokenOut } = request
    const answer: unknown = yield* ask(provider, (signal) => provider.offer({ tokenIn, tokenOut, amountIn, signal }))
    if (answer === null) return yield* noRoute(provider, "it does not swap these tokens in this amount")
    if (!isOffer(answer)) return yield* noRoute(provider, "its answer is no offer")
    const offer = answer as HostOffer
    return {
      ...request,
      amountOut: offer.amountOut,
      certainty: "FLOOR",
      blockNumber: null,
      route: [],
      fees: [],
      executionSeconds: offer.executionSeconds ?? chainOf(tokenIn.chainId).blockTimeMs / 1_000,
      stages: [],
      forAmount: (amount) => offerOf(provider, { ...request, amountIn: amount }),
      // Whether a swap before it changes the price, the host's code does not tell.
      afterwards: null,
      intent: { _tag: "Calls", calls: (terms) => callsOf(provider, offer, terms) }
    }
  })

/** A provider of the host's as the core asks it. */
export const swapProviderOf = (provider: HostSwapProvider): SwapProvider => ({
  id: provider.id,
  name: provider.name,
  serves: ({ chainIdIn, chainIdOut, isLimitOrder }) => {
    // Its calls are made on one chain.
    if (isLimitOrder || chainIdIn !== chainIdOut || !isEvmChainId(chainIdIn)) return false
    try {
      return provider.serves?.({ chainIdIn, chainIdOut }) ?? true
    } catch {
      return false
    }
  },
  offer: (request) => offerOf(provider, request)
})

export const isHostSwapProvider = (value: unknown): value is HostSwapProvider =>
  Predicate.hasProperty(value, "id") &&
  /^[A-Z0-9_]{1,64}$/u.test(String(value.id)) &&
  Predicate.hasProperty(value, "name") &&
  typeof value.name === "string" &&
  Predicate.hasProperty(value, "offer") &&
  typeof value.offer === "function"
