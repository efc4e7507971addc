import { Clock, Context, DateTime, Deferred, Effect, Layer, Option, Result } from "effect"
import { chainOf, type EvmChainId, isEvmChainId } from "../chains/index.ts"
import { BadRequest, type UpstreamUnavailable } from "../errors/index.ts"
import {
  type Address,
  baseUnitsOrNone,
  decimalFromBaseUnits,
  Entropy,
  isEvmAddress,
  NATIVE_COIN
} from "../primitives/index.ts"
import type { Project } from "../projects/index.ts"
import { type Token, TokenCatalog, TokenPrices, TokensNotAuthorized } from "../tokens/index.ts"
import {
  type GasTokenNotAccepted,
  INCLUSION_GRACE_SECONDS,
  type OperationContext,
  UserOperationBuilder,
  UserOperations
} from "../user-operations/index.ts"
import { type Wallet, type WalletNotRegistered, Wallets } from "../wallets/index.ts"
import { IndividualVerificationRequired, SwapQuoteUnavailable } from "./errors.ts"
import { operationRecordOf } from "./operationRecordOf.ts"
import { orderByProfile } from "./routeProfile.ts"
import { type Route, RouteNotFound, type SwapProvider, SwapProviders } from "./SwapProvider.ts"
import type { Candidate, SwapQuotes } from "./SwapQuote.ts"
import type { RouteProfile, SwapRequest } from "./SwapRequest.ts"
import { minAmountOutRoundingDown } from "./slippage.ts"
import { type FeeCollectors, feeCalls, type SwapPlan, swapFees } from "./swapPlan.ts"
import { executionSeconds, swapQuoteOf } from "./swapQuoteOf.ts"
import { type SwapTokens, swapProblems } from "./swapRefusals.ts"

export interface SwapSettings {
  readonly quoteSeconds: number
  /** How long one provider may take. */
  readonly providerTimeoutMs: number
  readonly operatorTreasury: Address | null
  readonly operatorSharePercent: number
}

/** How swaps are quoted: set by the operator. */
export const SwapSettings = Context.Reference<SwapSettings>("@countersign/core/swap/SwapSettings", {
  defaultValue: () => ({ quoteSeconds: 60, providerTimeoutMs: 10_000, operatorTreasury: null, operatorSharePercent: 0 })
})

export type SwapError =
  | WalletNotRegistered
  | TokensNotAuthorized
  | IndividualVerificationRequired
  | BadRequest
  | SwapQuoteUnavailable

/** A request whose words are all resolved. */
interface Order {
  readonly project: Project
  readonly wallet: Wallet
  readonly request: SwapRequest
  readonly chainId: EvmChainId
  readonly tokens: SwapTokens
  readonly amountIn: bigint
  readonly recipient: Address
  readonly collectors: FeeCollectors
}

/** Swap quotes. */
export class Swaps extends Context.Service<
  Swaps,
  {
    /**
     * Quotes from every provider, best first by the route profile. Each is stored, to be executed by its hash.
     * Refusals in this order: wallet not registered, tokens not listed, real-world asset without a verified
     * individual, whatever else is wrong with the request (all at once), no provider.
     */
    readonly quote: (project: Project, request: SwapRequest) => Effect.Effect<SwapQuotes, SwapError>
  }
>()("@countersign/core/swap/Swaps") {
  static readonly layer = Layer.effect(
    Swaps,
    Effect.gen(function* () {
      const wallets = yield* Wallets
      const catalog = yield* TokenCatalog
      const prices = yield* TokenPrices
      const providers = yield* SwapProviders
      const builder = yield* UserOperationBuilder
      const operations = yield* UserOperations
      const entropy = yield* Entropy
      const settings = yield* SwapSettings

      const requireTokens = Effect.fnUntraced(function* (request: SwapRequest) {
        const asked = [
          { field: "tokenIn", chainId: request.chainIdIn, address: request.tokenIn },
          { field: "tokenOut", chainId: request.chainIdOut, address: request.tokenOut },
          { field: "payGasFeeToken", chainId: request.chainIdIn, address: request.payGasFeeToken }
        ] as const
        const found = yield* Effect.forEach(asked, ({ address, chainId }) => catalog.find(chainId, address))
        const [first, ...others] = asked.filter((_, i) => Option.isNone(found[i]!))
        if (first !== undefined) return yield* new TokensNotAuthorized({ tokens: [first, ...others] })
        const [tokenIn, tokenOut, payGasFeeToken] = found.map(Option.getOrThrow) as [Token, Token, Token]
        return { tokenIn, tokenOut, payGasFeeToken }
      })

      const requireOrder = Effect.fnUntraced(function* (project: Project, request: SwapRequest) {
        const wallet = yield* wallets.require(project.id, request.walletAddress)
        const tokens = yield* requireTokens(request)
        const realWorldAsset = [tokens.tokenIn, tokens.tokenOut].find((token) => token.realWorldAsset)
        if (realWorldAsset !== undefined) {
          return yield* new IndividualVerificationRequired({ symbol: realWorldAsset.symbol })
        }
        const [first, ...others] = swapProblems(request, tokens)
        if (first !== undefined) return yield* new BadRequest({ problems: [first, ...others] })
        if (request.limit !== null) {
          return yield* new SwapQuoteUnavailable({
            reason: `${chainOf(request.chainIdIn).name} has no order book yet.`
          })
        }
        if (!isEvmChainId(request.chainIdIn) || request.chainIdIn !== request.chainIdOut) {
          const path = `${chainOf(request.chainIdIn).name} to ${chainOf(request.chainIdOut).name}`
          return yield* new SwapQuoteUnavailable({ reason: `no provider swaps from ${path}.` })
        }
        if (!isEvmAddress(request.toAddress)) return yield* Effect.die(new Error("An EVM chain has EVM receivers"))
        const order: Order = {
          project,
          recipient: request.toAddress,
          wallet,
          request,
          chainId: request.chainIdIn,
          tokens,
          amountIn: Option.getOrThrow(baseUnitsOrNone(request.amountIn, tokens.tokenIn.decimals)),
          collectors: { ...settings, treasury: project.treasury }
        }
        return order
      })

      /** The route for what the fees leave of the amount, and the calls that pay the fees and swap. */
      const planWith = (order: Order, provider: SwapProvider, route: Route, deadline: number) =>
        Effect.fnUntraced(function* (
          maxGasFee: bigint
        ): Effect.fn.Return<SwapPlan, BadRequest | RouteNotFound | UpstreamUnavailable> {
          const fees = swapFees(order.amountIn, maxGasFee, order.request, order.collectors)
          if (Option.isNone(fees)) {
            const fee = decimalFromBaseUnits(maxGasFee, order.tokens.tokenIn.decimals)
            return yield* BadRequest.of(
              "amountIn",
              "fees_exceed_amount",
              `The fees leave nothing of ${order.request.amountIn} ${order.tokens.tokenIn.symbol} to swap; gas alone can take ${fee}.`
            )
          }
          const rerouted = yield* provider.reroute(route, fees.value.net)
          const minAmountOut = minAmountOutRoundingDown(rerouted.amountOut, order.request.slippagePercent)
          return {
            route: rerouted,
            fees: fees.value,
            minAmountOut,
            calls: [
              ...feeCalls(fees.value, order.tokens, order.request, order.collectors),
              ...provider.calls(rerouted, {
                sender: order.request.walletAddress,
                recipient: order.recipient,
                minAmountOut,
                deadline
              })
            ]
          }
        })

      /** One provider's quote, from its route to the stored operation. */
      const quoteFrom = Effect.fnUntraced(function* (
        order: Order,
        provider: SwapProvider,
        opened: Effect.Effect<OperationContext, UpstreamUnavailable | GasTokenNotAccepted>,
        priced: Effect.Effect<ReadonlyMap<Address, bigint>>
      ) {
        const { chainId, request, tokens } = order
        const [context, route, usdPrices] = yield* Effect.all(
          [
            opened,
            provider.route({ chainId, tokenIn: tokens.tokenIn, tokenOut: tokens.tokenOut, amountIn: order.amountIn }),
            priced
          ],
          { concurrency: 3 }
        )
        const quotedAt = yield* DateTime.now
        const expiresAt = DateTime.add(quotedAt, { seconds: settings.quoteSeconds })
        const expiresAtSeconds = Math.floor(DateTime.toEpochMillis(expiresAt) / 1000)
        // The chain's clock may be ahead of ours, and it is the one that the router asks.
        const deadline =
          Math.max(expiresAtSeconds, context.state.blockTimestamp + settings.quoteSeconds) + INCLUSION_GRACE_SECONDS
        const built = yield* builder.build(context, expiresAtSeconds, planWith(order, provider, route, deadline))
        const quote = swapQuoteOf({
          request,
          tokens,
          knownTokens: new Map(Object.values(tokens).map((token) => [token.address, token])),
          collectors: order.collectors,
          prices: usdPrices,
          providerId: provider.id,
          built,
          quotedAt,
          expiresAt
        })
        yield* operations.keep(
          operationRecordOf({
            ...order,
            quote,
            built,
            quotedAt,
            prices: usdPrices,
            recordId: yield* entropy.uuid,
            transactionId: yield* entropy.uuid
          })
        )
        return { quote, minAmountOut: built.plan.minAmountOut }
      })

      type Answer = Effect.Success<ReturnType<typeof quoteFrom>>

      /** A provider's answer with what it took to get it. A refusal is an answer; only a bad request ends the quest. */
      const candidateFrom = Effect.fnUntraced(function* (
        provider: SwapProvider,
        quoting: ReturnType<typeof quoteFrom>
      ) {
        const startedAt = yield* Clock.currentTimeMillis
        const result = yield* quoting.pipe(
          Effect.timeoutOrElse({
            duration: settings.providerTimeoutMs,
            orElse: () =>
              Effect.fail(
                new RouteNotFound({
                  provider: provider.name,
                  reason: `no answer within ${settings.providerTimeoutMs} ms`
                })
              )
          }),
          Effect.result
        )
        const latencyMs = (yield* Clock.currentTimeMillis) - startedAt
        if (Result.isFailure(result) && result.failure._tag === "BAD_REQUEST") return yield* result.failure
        const answer: Answer | null = Result.isSuccess(result) ? result.success : null
        const candidate: Candidate = {
          provider: provider.id,
          name: provider.name,
          latencyMs,
          amountOut: answer?.quote.amountOut ?? null,
          refusal: Result.isFailure(result) ? result.failure.message : (answer?.quote.revertReason?.decoded ?? null)
        }
        return { candidate, answer }
      })

      /** The answers that the profile waits for: QUICKEST_QUOTE ends with the first that can be executed. */
      const untilGoodEnough = Effect.fnUntraced(function* (
        profile: RouteProfile,
        askings: ReadonlyArray<ReturnType<typeof candidateFrom>>
      ) {
        const answers: Array<Effect.Success<(typeof askings)[number]>> = []
        const quickest = yield* Deferred.make<void>()
        const collect = (asking: (typeof askings)[number]) =>
          Effect.flatMap(asking, (answered) => {
            answers.push(answered)
            const executable = answered.answer !== null && answered.answer.quote.revertReason === null
            return executable && profile === "QUICKEST_QUOTE" ? Deferred.succeed(quickest, undefined) : Effect.void
          })
        yield* Effect.raceFirst(
          Effect.forEach(askings, collect, { concurrency: "unbounded", discard: true }),
          Deferred.await(quickest)
        )
        return answers
      })

      return Swaps.of({
        quote: Effect.fn("Swaps.quote")(function* (project, request) {
          const order = yield* requireOrder(project, request)
          const asked = providers.filter((provider) => provider.serves(order.chainId))
          if (asked.length === 0) {
            return yield* new SwapQuoteUnavailable({ reason: `no provider serves ${chainOf(order.chainId).name}.` })
          }
          const { payGasFeeToken, tokenIn, tokenOut } = order.tokens
          // Shared by the providers: the account is the same whoever swaps.
          const opened = yield* Effect.cached(
            builder.open({
              chainId: order.chainId,
              account: order.wallet.account,
              payGasFeeToken,
              tokens: [tokenIn.address]
            })
          )
          const priced = yield* Effect.cached(
            prices.usd(order.chainId, [tokenIn.address, tokenOut.address, payGasFeeToken.address, NATIVE_COIN])
          )
          const answers = yield* untilGoodEnough(
            request.routeProfile,
            asked.map((provider) => candidateFrom(provider, quoteFrom(order, provider, opened, priced)))
          )
          const candidates = answers.map(({ candidate }) => candidate)
          const ranked = answers.flatMap(({ answer }) =>
            answer === null
              ? []
              : [
                  {
                    quote: answer.quote,
                    executable: answer.quote.revertReason === null,
                    minAmountOut: answer.minAmountOut,
                    executionSeconds: executionSeconds(answer.quote)
                  }
                ]
          )
          if (ranked.length === 0) {
            const reasons = candidates.map(({ name, refusal }) => `${name}: ${refusal ?? "no answer"}`)
            return yield* new SwapQuoteUnavailable({ reason: reasons.join("; ") })
          }
          const quotes = orderByProfile(request.routeProfile, ranked).map(({ quote }) => quote)
          return { quotes, candidates }
        })
      })
    })
  )
}
