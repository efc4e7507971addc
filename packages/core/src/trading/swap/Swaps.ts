import { Context, Effect, Layer } from "effect"
import { chainOf, isEvmChainId } from "../../foundation/chains/index.ts"
import type { BadRequest, UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { coalesce, Entropy, hashFromBytes, withAssumptions } from "../../foundation/primitives/index.ts"
import type { IndividualVerificationRequired, QuotedPrices } from "../../foundation/tokens/index.ts"
import { hashOf } from "../../operations/intents/index.ts"
import { Preparations, type QuoteExists, type QuoteRefusal, retryIfQuoteExists } from "../../operations/quotes/index.ts"
import type { OperationContext } from "../../operations/user-operations/index.ts"
import type { Project } from "../../tenancy/projects/index.ts"
import { SwapQuoteUnavailable } from "./errors.ts"
import { destinations } from "./plan/destination.ts"
import { guaranteedAfterGas } from "./plan/guaranteedAfterGas.ts"
import { type ReadySwap, readySwaps } from "./plan/readySwaps.ts"
import { swapMs, swapQuoteOf } from "./plan/swapQuote.ts"
import { askForOffer } from "./provider/askForOffer.ts"
import { type OfferError, type OfferRequest, type SwapProvider, SwapProviders } from "./provider/Offer.ts"
import { type ProviderHealth, ProvidersHealth } from "./provider/ProviderHealth.ts"
import { queryProviders, type ResponseSummary } from "./provider/queryProviders.ts"
import { sortByProfile } from "./provider/routeProfile.ts"
import type { Candidate, SwapQuote } from "./SwapContent.ts"
import type { SwapRequest } from "./SwapRequest.ts"
import { type SwapOrder, swapOrders } from "./swapOrders.ts"

export interface SwapSettings {
  /** Timeout for each provider. */
  readonly providerTimeoutMs: number
  /** After this time, QUICKEST_QUOTE returns as soon as a quote is available. */
  readonly quickestQuoteMs: number
}

/** The operator's settings for swap quotes. */
export const SwapSettings = Context.Reference<SwapSettings>("@countersign/core/swap/SwapSettings", {
  defaultValue: () => ({ providerTimeoutMs: 10_000, quickestQuoteMs: 900 })
})

type SwapError = Exclude<QuoteRefusal, UpstreamUnavailable> | IndividualVerificationRequired | SwapQuoteUnavailable

export interface SwapQuotes {
  readonly quotes: ReadonlyArray<SwapQuote>
  readonly candidates: ReadonlyArray<Candidate>
}

export interface ProviderReport {
  readonly id: string
  readonly name: string
  readonly health: ProviderHealth
}

/** A provider's swap, ready to be stored and signed. */
interface SwapResponse extends ResponseSummary {
  readonly ready: ReadySwap
  readonly id: string
}

const requireServingProviders = Effect.fnUntraced(function* (
  providers: ReadonlyArray<SwapProvider>,
  { limit, request: { chainIdIn, chainIdOut } }: SwapOrder
) {
  const isLimitOrder = limit !== null
  const servingProviders = providers.filter((provider) => provider.serves({ chainIdIn, chainIdOut, isLimitOrder }))
  if (servingProviders.length > 0) return servingProviders
  const [from, to] = [chainOf(chainIdIn).name, chainOf(chainIdOut).name]
  return yield* new SwapQuoteUnavailable({
    reason: isLimitOrder
      ? `no provider supports limit orders on ${from}.`
      : chainIdIn === chainIdOut && isEvmChainId(chainIdIn)
        ? `no provider supports swaps on ${from}.`
        : `no provider swaps from ${from} to ${to}.`
  })
})

/** Builds the error for a request for which no provider returned a quote. */
const refusedByAll = (candidates: ReadonlyArray<Candidate>) =>
  new SwapQuoteUnavailable({
    reason: candidates.map(({ name, refusal }) => `${name}: ${refusal ?? "no response"}`).join("; "),
    refusals: candidates.map(({ latencyMs, provider }) => ({ provider, latencyMs }))
  })

/** Creates quotes for swaps. */
export class Swaps extends Context.Service<
  Swaps,
  {
    /**
     * Returns the providers' quotes, sorted by route profile. Each quote that contains something to sign is stored, and
     * the caller executes one by its hash. Identical concurrent requests share one result. If several errors apply, the
     * first one in this list is returned:
     * - a violation of the request schema, or a chain that is not served
     * - the wallet is not registered
     * - a token is not listed
     * - a real-world asset without a verified individual
     * - all other problems of the request
     * - no provider serves the chains
     * - too much unpaid gas
     * - a gas token that no paymaster accepts
     * - no provider made an offer
     */
    readonly quote: (project: Project, request: SwapRequest) => Effect.Effect<SwapQuotes, SwapError>
    /** Returns the configured providers, each with this process's recent statistics. */
    readonly providers: Effect.Effect<ReadonlyArray<ProviderReport>>
  }
>()("@countersign/core/swap/Swaps") {
  static readonly layer = Layer.effect(
    Swaps,
    Effect.gen(function* () {
      const resolve = yield* swapOrders
      const prepareSwap = yield* readySwaps
      const destinationOf = yield* destinations
      const providers = yield* SwapProviders
      const preparations = yield* Preparations
      const entropy = yield* Entropy
      const { providerTimeoutMs, quickestQuoteMs } = yield* SwapSettings
      const healths = new ProvidersHealth()
      const coalesceQuotes = coalesce<SwapQuotes, SwapError>()

      /**
       * Reads the account and its gas data once for all providers. Null if the wallet makes no user operations on the
       * chain.
       */
      const openContext = Effect.fnUntraced(
        function* ({ limit, project, request, tokens: { payGasFeeToken, tokenIn, tokenOut }, wallet }: SwapOrder) {
          const chainId = request.chainIdIn
          if (wallet.type !== "SMART" || !isEvmChainId(chainId)) return Effect.succeed(null)
          const spentTokens = limit === null ? [tokenIn] : [tokenIn, tokenOut]
          const readContext = yield* preparations.requestContext({
            project,
            wallet,
            chainId,
            payGasFeeToken,
            spent: spentTokens
          })
          return yield* Effect.cached(readContext)
        },
        Effect.catchTag("UPSTREAM_UNAVAILABLE", (error) =>
          Effect.fail(new SwapQuoteUnavailable({ reason: error.message }))
        )
      )

      const quoteFrom = Effect.fnUntraced(function* (
        order: SwapOrder,
        provider: SwapProvider,
        contextEffect: Effect.Effect<OperationContext | null, UpstreamUnavailable>,
        pricesEffect: Effect.Effect<QuotedPrices>
      ): Effect.fn.Return<SwapResponse, BadRequest | OfferError> {
        const { amountIn, limit, request, tokens } = order
        const { tokenIn, tokenOut } = tokens
        const objective = request.routeProfile === "BEST_OUTPUT" ? "BEST" : "FIRST"
        const parties = { sender: request.walletAddress, recipient: request.toAddress }
        const offerRequest: OfferRequest = {
          tokenIn,
          tokenOut,
          amountIn,
          objective,
          limit,
          ...(request.chainIdIn === request.chainIdOut ? {} : { parties })
        }
        const [context, offer, prices] = yield* Effect.all(
          [contextEffect, askForOffer(healths, provider, offerRequest, providerTimeoutMs), pricesEffect],
          { concurrency: 3 }
        )
        const readySwap = yield* prepareSwap(order, provider, offer, context, prices)
        const { plan, revertReason } = readySwap.prepared
        return {
          ready: readySwap,
          id: hashOf(readySwap.prepared.intents) ?? hashFromBytes(yield* entropy.bytes(32)),
          amountOut: plan.offer.amountOut,
          refusal: revertReason?.decoded ?? null
        }
      })

      const queryAll = Effect.fnUntraced(function* (order: SwapOrder) {
        const { request, tokens } = order
        const swapTokens = [tokens.tokenIn, tokens.tokenOut, tokens.payGasFeeToken]
        const servingProviders = yield* requireServingProviders(providers, order)
        const contextEffect = yield* openContext(order)
        const pricesEffect = yield* Effect.cached(preparations.readPrices(request.chainIdIn, swapTokens))
        return yield* queryProviders(
          request.routeProfile,
          servingProviders.map((provider) => ({
            provider,
            request: quoteFrom(order, provider, contextEffect, pricesEffect),
            skippedPools: () => provider.listSkippedPools?.(tokens) ?? []
          })),
          { timeoutMs: providerTimeoutMs, quickestMs: quickestQuoteMs }
        )
      })

      /** Returns warnings about the destination chain. */
      const readWarnings = (order: SwapOrder) =>
        Effect.catchTag(destinationOf(order), "UPSTREAM_UNAVAILABLE", (error) =>
          Effect.fail(new SwapQuoteUnavailable({ reason: error.message }))
        )

      const quoteOrder = Effect.fnUntraced(function* (
        order: SwapOrder
      ): Effect.fn.Return<SwapQuotes, SwapError | QuoteExists> {
        const [responses, warnings] = yield* Effect.all([withAssumptions(queryAll(order)), readWarnings(order)], {
          concurrency: 2
        })
        const candidates = responses.map(({ candidate }) => candidate)
        const usableResponses = responses.flatMap(({ response }) => response ?? [])
        if (usableResponses.length === 0) return yield* refusedByAll(candidates)
        const rankedResponses = sortByProfile(
          order.request.routeProfile,
          usableResponses.map((response) => ({
            ...response,
            executable: response.refusal === null,
            guaranteed: guaranteedAfterGas(response.ready),
            executionSeconds: swapMs(response.ready) / 1_000
          }))
        )
        const quotes = rankedResponses.map(({ id, ready }) => swapQuoteOf(ready, id, { candidates, warnings }))
        // A quote without anything to sign can't be executed: the balance is too low for its Bitcoin payment.
        yield* preparations.storeQuotes(quotes.map(({ quote }) => quote).filter(({ intents }) => intents.length > 0))
        return { quotes, candidates }
      }, retryIfQuoteExists)

      return Swaps.of({
        quote: Effect.fn("Swaps.quote")(function* (project, input) {
          const order = yield* resolve(project, input)
          return yield* coalesceQuotes(JSON.stringify([project.id, order.request]), quoteOrder(order))
        }),
        providers: Effect.sync(() => providers.map(({ id, name }) => ({ id, name, health: healths.of(id) })))
      })
    })
  )
}
