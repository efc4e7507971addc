import { DateTime, Effect } from "effect"
import type { BadRequest } from "../../errors/index.ts"
import { Preparations, QuoteSettings, remainingAllowances } from "../../quotes/index.ts"
import type { QuotedPrices, Token } from "../../tokens/index.ts"
import type { OperationContext } from "../../user-operations/index.ts"
import { type Offer, type OfferError, RouteNotFound, type SwapProvider } from "../provider/Offer.ts"
import type { SwapOrder } from "../SwapOrder.ts"
import { keepingTokens } from "./keepingToken.ts"
import type { ReadySwap } from "./swapContentOf.ts"
import { intentsAfter, planIntents, planSwap, provisionalLimits } from "./swapPlan.ts"

const keptPart = ({ name }: SwapProvider, { symbol }: Token) =>
  new RouteNotFound({
    provider: name,
    reason: `less ${symbol} arrives than is sent: the token takes a fee on its transfers, or changes balances by itself`
  })

/** What the provider offers by now; null where that is what it has offered before. */
const changedOffer = Effect.fnUntraced(function* (provider: SwapProvider, { amountOut, ...request }: Offer) {
  const later = yield* provider.offer(request)
  return later.amountOut === amountOut ? null : later
})

/** Makes an offer ready to be signed; the context is null where the wallet makes no user operations. */
export const readySwaps = Effect.gen(function* () {
  const preparations = yield* Preparations
  const { quoteSeconds } = yield* QuoteSettings
  const keepingToken = yield* keepingTokens

  /** From an offer that brings by itself what is to be signed. */
  const fromIntents = Effect.fnUntraced(function* (
    order: SwapOrder,
    provider: SwapProvider,
    offer: Offer,
    { usd, warnings }: QuotedPrices
  ): Effect.fn.Return<ReadySwap, BadRequest | OfferError> {
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
  })

  /** By a user operation that makes the offer's calls. */
  const fromCalls = Effect.fnUntraced(function* (
    order: SwapOrder,
    provider: SwapProvider,
    offer: Offer,
    context: OperationContext,
    { usd, warnings }: QuotedPrices
  ): Effect.fn.Return<ReadySwap, BadRequest | OfferError> {
    const preparation = yield* preparations.prepare(context, {
      provisionalLimits,
      plan: planSwap(order, offer),
      spends: ({ split }) => [{ token: order.tokens.tokenIn, amount: order.amountIn - split.gasFee }]
    })
    const { calls, plan, simulation } = preparation.operation
    const keeper = yield* keepingToken(order, plan, simulation, context)
    if (keeper !== null) {
      // Less may also arrive because the pools have changed since they were read.
      const later = keeper === order.tokens.tokenIn ? null : yield* changedOffer(provider, offer)
      if (later === null) return yield* keptPart(provider, keeper)
      return yield* fromCalls(order, provider, later, context, { usd, warnings })
    }
    return {
      order,
      provider: provider.id,
      plan,
      intents: [...preparation.intents, ...(yield* intentsAfter(plan))],
      gas: preparation.gas,
      calls,
      assetChanges: preparation.assetChanges,
      allowances: remainingAllowances(context.chainId, simulation.allowanceChanges),
      revertReason: simulation.revert,
      prices: usd,
      warnings,
      quotedAt: preparation.quotedAt,
      expiresAt: preparation.expiresAt
    }
  })

  return (
    order: SwapOrder,
    provider: SwapProvider,
    offer: Offer,
    context: OperationContext | null,
    prices: QuotedPrices
  ): Effect.Effect<ReadySwap, BadRequest | OfferError> => {
    if (offer.intent._tag === "Intents") return fromIntents(order, provider, offer, prices)
    if (context === null) return Effect.die(new Error(`${provider.name} offers calls to a wallet that makes none`))
    return fromCalls(order, provider, offer, context, prices)
  }
})
