import { Context, Effect, Layer } from "effect"
import { chainOf, isEvmChainId } from "../chains/index.ts"
import type { BadRequest, UpstreamUnavailable } from "../errors/index.ts"
import { hashOf } from "../intents/index.ts"
import type { UnpaidGasLimit } from "../losses/index.ts"
import { coalesce, Entropy, hashFromBytes, withAssumptions } from "../primitives/index.ts"
import type { Project } from "../projects/index.ts"
import { Preparations, QuoteStore } from "../quotes/index.ts"
import { type QuotedPrices, quotedPrices, TokenPrices, type TokensNotAuthorized } from "../tokens/index.ts"
import type { OperationContext } from "../user-operations/index.ts"
import type { WalletNotRegistered } from "../wallets/index.ts"
import { type IndividualVerificationRequired, SwapQuoteUnavailable } from "./errors.ts"
import { guaranteedAfterGas } from "./plan/guaranteedAfterGas.ts"
import { readySwaps } from "./plan/readySwaps.ts"
import { executionMs, type ReadySwap, swapContentOf, swapQuoteOf } from "./plan/swapContentOf.ts"
import { askForOffer } from "./provider/askForOffer.ts"
import { askProviders } from "./provider/askProviders.ts"
import { type OfferError, type SwapProvider, SwapProviders } from "./provider/Offer.ts"
import { type ProviderHealth, ProvidersHealth } from "./provider/ProviderHealth.ts"
import { orderByProfile } from "./provider/routeProfile.ts"
import type { Candidate, SwapQuote } from "./SwapContent.ts"
import { limitOf, type SwapOrder } from "./SwapOrder.ts"
import type { SwapRequest } from "./SwapRequest.ts"
import { swapOrders } from "./swapOrders.ts"

export interface SwapSettings {
  /** How long one provider may take. */
  readonly providerTimeoutMs: number
  /** After this time QUICKEST_QUOTE waits for no better quote than those that there are. */
  readonly quickestQuoteMs: number
}

/** How swaps are quoted: set by the operator. */
export const SwapSettings = Context.Reference<SwapSettings>("@countersign/core/swap/SwapSettings", {
  defaultValue: () => ({ providerTimeoutMs: 10_000, quickestQuoteMs: 900 })
})

export type SwapError =
  | WalletNotRegistered
  | TokensNotAuthorized
  | IndividualVerificationRequired
  | BadRequest
  | UnpaidGasLimit
  | SwapQuoteUnavailable

export interface SwapQuotes {
  readonly quotes: ReadonlyArray<SwapQuote>
  readonly candidates: ReadonlyArray<Candidate>
}

export interface ProviderReport {
  readonly id: string
  readonly name: string
  readonly health: ProviderHealth
}

/** An answer of a provider that can be stored and signed. */
interface SwapAnswer {
  readonly ready: ReadySwap
  readonly id: string
  readonly amountOut: bigint
  readonly refusal: string | null
}

/** Swap quotes. */
export class Swaps extends Context.Service<
  Swaps,
  {
    /**
     * Quotes from every provider, best first by the route profile. Each is stored, to be executed by its hash.
     * Refusals in this order: wallet not registered, tokens not listed, real-world asset without a verified
     * individual, all other problems of the request (all at once), gas left unpaid before, a gas token that no paymaster
     * accepts, no provider. Who asks for the very same while an answer is made gets that answer.
     */
    readonly quote: (project: Project, request: SwapRequest) => Effect.Effect<SwapQuotes, SwapError>
    /** The providers that are asked, with what this process has seen of each lately. */
    readonly providers: Effect.Effect<ReadonlyArray<ProviderReport>>
  }
>()("@countersign/core/swap/Swaps") {
  static readonly layer = Layer.effect(
    Swaps,
    Effect.gen(function* () {
      const resolve = yield* swapOrders
      const makeReady = yield* readySwaps
      const prices = yield* TokenPrices
      const providers = yield* SwapProviders
      const preparations = yield* Preparations
      const store = yield* QuoteStore
      const entropy = yield* Entropy
      const { providerTimeoutMs, quickestQuoteMs } = yield* SwapSettings
      const healths = new ProvidersHealth()
      const once = coalesce<SwapQuotes, SwapError>()

      const providersFor = Effect.fnUntraced(function* ({ request }: SwapOrder) {
        const { chainIdIn, chainIdOut } = request
        const isLimitOrder = request.minAmountOut !== undefined
        const servingProviders = providers.filter((provider) =>
          provider.serves({ chainIdIn, chainIdOut, isLimitOrder })
        )
        if (servingProviders.length > 0) return servingProviders
        const [from, to] = [chainOf(chainIdIn).name, chainOf(chainIdOut).name]
        return yield* new SwapQuoteUnavailable({
          reason: isLimitOrder
            ? `${from} has no order book yet.`
            : chainIdIn === chainIdOut && isEvmChainId(chainIdIn)
              ? `no provider serves ${from}.`
              : `no provider swaps from ${from} to ${to}.`
        })
      })

      /** The account and its gas, the same for all providers; null where the wallet makes no user operations there. */
      const openContext = Effect.fnUntraced(function* ({ project, request, tokens, wallet }: SwapOrder) {
        if (wallet.type !== "SMART" || !isEvmChainId(request.chainIdIn)) return Effect.succeed(null)
        const { payGasFeeToken, tokenIn } = tokens
        const gasRequest = {
          chainId: request.chainIdIn,
          account: wallet.account,
          payGasFeeToken,
          tokens: [tokenIn.address]
        }
        const terms = yield* Effect.catchTag(
          preparations.gasTerms({ ...gasRequest, projectId: project.id }),
          "UPSTREAM_UNAVAILABLE",
          (error) => Effect.fail(new SwapQuoteUnavailable({ reason: error.message }))
        )
        return yield* Effect.cached(preparations.open(gasRequest, terms))
      })

      const quoteFrom = Effect.fnUntraced(function* (
        order: SwapOrder,
        provider: SwapProvider,
        contextEffect: Effect.Effect<OperationContext | null, UpstreamUnavailable>,
        pricesEffect: Effect.Effect<QuotedPrices>
      ): Effect.fn.Return<SwapAnswer, BadRequest | OfferError> {
        const { tokenIn, tokenOut } = order.tokens
        const offerRequest = {
          tokenIn,
          tokenOut,
          amountIn: order.amountIn,
          objective: order.request.routeProfile === "BEST_OUTPUT" ? ("BEST" as const) : ("FIRST" as const),
          limit: limitOf(order.request)
        }
        const [context, offer, quoted] = yield* Effect.all(
          [contextEffect, askForOffer(healths, provider, offerRequest, providerTimeoutMs), pricesEffect],
          { concurrency: 3 }
        )
        const ready = yield* makeReady(order, provider, offer, context, quoted)
        return {
          ready,
          id: hashOf(ready.intents) ?? hashFromBytes(yield* entropy.bytes(32)),
          amountOut: ready.plan.offer.amountOut,
          refusal: ready.revertReason?.decoded ?? null
        }
      })

      const pricesFor = ({ request, tokens }: SwapOrder) =>
        quotedPrices(prices, request.chainIdIn, [tokens.tokenIn, tokens.tokenOut, tokens.payGasFeeToken])

      const askAll = Effect.fnUntraced(function* (order: SwapOrder) {
        const servingProviders = yield* providersFor(order)
        const contextEffect = yield* openContext(order)
        const pricesEffect = yield* Effect.cached(pricesFor(order))
        return yield* askProviders(
          order.request.routeProfile,
          servingProviders.map((provider) => ({
            provider,
            ask: quoteFrom(order, provider, contextEffect, pricesEffect),
            leftOut: () => provider.leftOut?.(order.tokens) ?? []
          })),
          { timeoutMs: providerTimeoutMs, quickestMs: quickestQuoteMs }
        )
      })

      const quoteOrder = Effect.fnUntraced(function* (order: SwapOrder): Effect.fn.Return<SwapQuotes, SwapError> {
        const answers = yield* withAssumptions(askAll(order))
        const candidates = answers.map(({ candidate }) => candidate)
        const usableAnswers = answers.flatMap(({ answer }) =>
          answer === null
            ? []
            : [
                {
                  answer,
                  executable: answer.refusal === null,
                  guaranteed: guaranteedAfterGas(answer.ready),
                  executionSeconds: executionMs(answer.ready) / 1_000
                }
              ]
        )
        if (usableAnswers.length === 0) {
          const reasons = candidates.map(({ name, refusal }) => `${name}: ${refusal ?? "no answer"}`)
          return yield* new SwapQuoteUnavailable({ reason: reasons.join("; ") })
        }
        const quotes = orderByProfile(order.request.routeProfile, usableAnswers).map(
          ({ answer: { id, ready } }): SwapQuote => {
            const content = { ...swapContentOf(ready), candidates }
            return { quote: swapQuoteOf(ready, id, content), content }
          }
        )
        yield* store.insert(quotes.map(({ quote }) => quote))
        return { quotes, candidates }
      })

      return Swaps.of({
        quote: Effect.fn("Swaps.quote")(function* (project, input) {
          const order = yield* resolve(project, input)
          return yield* once(JSON.stringify([project.id, order.request]), quoteOrder(order))
        }),
        providers: Effect.sync(() => providers.map(({ id, name }) => ({ id, name, health: healths.of(id) })))
      })
    })
  )
}
