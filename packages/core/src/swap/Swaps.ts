import { Context, DateTime, Effect, Layer, Option } from "effect"
import { chainOf, isEvmChainId } from "../chains/index.ts"
import { BadRequest, requireValid, type UpstreamUnavailable } from "../errors/index.ts"
import { mainOperation } from "../intents/index.ts"
import type { UnpaidGasLimit } from "../losses/index.ts"
import { baseUnitsOrNone, coalesce, Entropy, withAssumptions } from "../primitives/index.ts"
import type { Project } from "../projects/index.ts"
import { Preparations, QuoteSettings, QuoteStore, remainingAllowances } from "../quotes/index.ts"
import {
  type QuotedPrices,
  quotedPrices,
  requireListed,
  type Token,
  TokenCatalog,
  TokenPrices,
  type TokensNotAuthorized,
  tokenKey
} from "../tokens/index.ts"
import type { Call, GasLimits, OperationContext } from "../user-operations/index.ts"
import { type WalletNotRegistered, Wallets } from "../wallets/index.ts"
import { IndividualVerificationRequired, SwapQuoteUnavailable } from "./errors.ts"
import { guaranteedAfterGas } from "./plan/guaranteedAfterGas.ts"
import { arrivesShort, keepsInput, transferToRoute } from "./plan/keptByToken.ts"
import { executionMs, type ReadySwap, swapContentOf, swapQuoteOf } from "./plan/swapContentOf.ts"
import { intentsAfter, planIntents, planSwap, type SwapPlan } from "./plan/swapPlan.ts"
import { askForOffer } from "./provider/askForOffer.ts"
import { askProviders } from "./provider/askProviders.ts"
import { type Offer, type OfferError, RouteNotFound, type SwapProvider, SwapProviders } from "./provider/Offer.ts"
import { type ProviderHealth, ProvidersHealth } from "./provider/ProviderHealth.ts"
import { orderByProfile } from "./provider/routeProfile.ts"
import type { Candidate, SwapQuote } from "./SwapContent.ts"
import { limitOf, type SwapOrder, swapProblems } from "./SwapOrder.ts"
import { SwapRequest } from "./SwapRequest.ts"

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

/** A generous gas limit for a swap of a wallet that is not deployed. */
const provisionalLimits: GasLimits = {
  callGasLimit: 450_000n,
  verificationGasLimit: 350_000n,
  preVerificationGas: 60_000n,
  paymasterVerificationGasLimit: 60_000n,
  paymasterPostOpGasLimit: 80_000n
}

const requireSwapRequest = requireValid(SwapRequest)

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
      const wallets = yield* Wallets
      const catalog = yield* TokenCatalog
      const prices = yield* TokenPrices
      const providers = yield* SwapProviders
      const preparations = yield* Preparations
      const store = yield* QuoteStore
      const entropy = yield* Entropy
      const { providerTimeoutMs, quickestQuoteMs } = yield* SwapSettings
      const healths = new ProvidersHealth()
      const once = coalesce<SwapQuotes, SwapError>()
      const { operatorSharePercent, operatorTreasury, quoteSeconds } = yield* QuoteSettings

      const resolve = Effect.fnUntraced(function* (project: Project, input: SwapRequest) {
        const request = yield* requireSwapRequest(input)
        const wallet = yield* wallets.require(project.id, request.walletAddress)
        const [tokenIn, tokenOut, payGasFeeToken] = yield* requireListed(catalog, [
          { field: "tokenIn", chainId: request.chainIdIn, address: request.tokenIn },
          { field: "tokenOut", chainId: request.chainIdOut, address: request.tokenOut },
          { field: "payGasFeeToken", chainId: request.chainIdIn, address: request.payGasFeeToken }
        ])
        const tokens = { tokenIn: tokenIn!, tokenOut: tokenOut!, payGasFeeToken: payGasFeeToken! }
        const realWorldAsset = [tokens.tokenIn, tokens.tokenOut].find((token) => token.realWorldAsset)
        if (realWorldAsset !== undefined) {
          return yield* new IndividualVerificationRequired({ symbol: realWorldAsset.symbol })
        }
        const [first, ...others] = swapProblems(request, tokens)
        if (first !== undefined) return yield* new BadRequest({ problems: [first, ...others] })
        const order: SwapOrder = {
          project,
          wallet,
          request,
          tokens,
          amountIn: Option.getOrThrow(baseUnitsOrNone(request.amountIn, tokens.tokenIn.decimals)),
          recipient: request.toAddress,
          collectors: { treasury: project.treasury, operatorTreasury, operatorSharePercent }
        }
        return order
      })

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

      const keptPart = ({ name }: SwapProvider, { symbol }: Token) =>
        new RouteNotFound({
          provider: name,
          reason: `less ${symbol} arrives than is sent: the token takes a fee on its transfers, or changes balances by itself`
        })

      const transfersOf = (context: OperationContext, calls: ReadonlyArray<Call>) =>
        Effect.map(
          preparations.prepare(context, {
            provisionalLimits,
            plan: () => Effect.succeed({ calls }),
            spends: () => []
          }),
          ({ operation }) => operation.simulation.transfers
        )

      /** The token that lets a plan fail because it keeps a part of what is sent; null where it fails for something else. */
      const keepingToken = Effect.fnUntraced(function* (
        { recipient, tokens: { tokenIn, tokenOut } }: SwapOrder,
        plan: SwapPlan,
        context: OperationContext
      ): Effect.fn.Return<Token | null, OfferError> {
        if ((context.state.balances.get(tokenKey(tokenIn)) ?? 0n) < plan.split.net) return null
        const sent = transferToRoute(plan)
        if (sent !== null && keepsInput(plan, yield* transfersOf(context, [sent]))) return tokenIn
        const { intent } = plan.offer
        if (intent._tag !== "Calls") return null
        const whateverArrives = yield* intent.calls({ ...plan.terms, minAmountOut: 1n })
        const arrivals = yield* transfersOf(context, whateverArrives)
        return arrivesShort(plan, recipient, arrivals) ? tokenOut : null
      })

      /** What the provider offers by now; null where that is what it has offered before. */
      const changedOffer = Effect.fnUntraced(function* (provider: SwapProvider, { amountOut, ...request }: Offer) {
        const later = yield* provider.offer(request)
        return later.amountOut === amountOut ? null : later
      })

      const prepareSwap = Effect.fnUntraced(function* (
        order: SwapOrder,
        provider: SwapProvider,
        offer: Offer,
        context: OperationContext | null,
        { usd, warnings }: QuotedPrices
      ): Effect.fn.Return<ReadySwap, BadRequest | OfferError> {
        if (offer.intent._tag === "Intents") {
          const quotedAt = yield* DateTime.now
          const expiresAt = DateTime.add(quotedAt, { seconds: quoteSeconds })
          const deadline = Math.floor(DateTime.toEpochMillis(expiresAt) / 1000)
          const { intents, plan } = yield* planIntents(order, offer, deadline)
          return {
            order,
            provider: provider.id,
            plan,
            intents,
            gas: null,
            calls: [],
            assetChanges: [],
            allowances: [],
            revertReason: null,
            prices: usd,
            warnings,
            quotedAt,
            expiresAt
          }
        }
        if (context === null)
          return yield* Effect.die(new Error(`${provider.name} offers calls to a wallet that makes none`))
        const preparation = yield* preparations.prepare(context, {
          provisionalLimits,
          plan: planSwap(order, offer),
          spends: ({ split }) => [{ token: order.tokens.tokenIn, amount: order.amountIn - split.gasFee }]
        })
        const { operation } = preparation
        const { plan, simulation } = operation
        const keeper =
          simulation.revert !== null
            ? yield* keepingToken(order, plan, context)
            : arrivesShort(plan, order.recipient, simulation.transfers)
              ? order.tokens.tokenOut
              : null
        if (keeper !== null) {
          // Less may also arrive because the pools have changed since they were read.
          const later = keeper === order.tokens.tokenIn ? null : yield* changedOffer(provider, offer)
          if (later === null) return yield* keptPart(provider, keeper)
          return yield* prepareSwap(order, provider, later, context, { usd, warnings })
        }
        return {
          order,
          provider: provider.id,
          plan: operation.plan,
          intents: [...preparation.intents, ...(yield* intentsAfter(operation.plan))],
          gas: preparation.gas,
          calls: operation.calls,
          assetChanges: preparation.assetChanges,
          allowances: remainingAllowances(context.chainId, operation.simulation.allowanceChanges),
          revertReason: operation.simulation.revert,
          prices: usd,
          warnings,
          quotedAt: preparation.quotedAt,
          expiresAt: preparation.expiresAt
        }
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
        const ready = yield* prepareSwap(order, provider, offer, context, quoted)
        const [intent] = ready.intents
        return {
          ready,
          id:
            mainOperation(ready.intents)?.hash ??
            (intent?.type === "BITCOIN_TRANSACTION"
              ? intent.txid
              : intent?.type === "LIMIT_ORDER"
                ? intent.uid
                : null) ??
            (yield* entropy.uuid),
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
