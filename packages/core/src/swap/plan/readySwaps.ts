import { Effect } from "effect"
import { BitcoinTransactions } from "../../bitcoin/index.ts"
import { walletDeposits } from "../../bitcoin-payments/index.ts"
import type { BadRequest } from "../../errors/index.ts"
import { Preparations, type Prepared } from "../../quotes/index.ts"
import type { QuotedPrices, Token } from "../../tokens/index.ts"
import type { OperationContext } from "../../user-operations/index.ts"
import { type Offer, type OfferError, RouteNotFound, type SwapProvider } from "../provider/Offer.ts"
import type { SwapOrder } from "../swapOrders.ts"
import { bitcoinPlans } from "./bitcoinPlan.ts"
import { offerRunOf } from "./offerRun.ts"
import { deductedGasFee, intentsAfter, planIntents, planSwap, SWAP_CALL_GAS, type SwapPlan } from "./swapPlan.ts"
import { transferFeeTokens } from "./transferFeeToken.ts"

/** A swap that is ready to be signed, by any kind of intent. */
export interface ReadySwap {
  readonly order: SwapOrder
  readonly provider: string
  readonly prepared: Prepared<SwapPlan>
  readonly prices: QuotedPrices
}

/** Where a fee is deducted, the amount that is left for it may ask for other coins. */
const FEE_TRIES = 4

const takesFee = ({ name }: SwapProvider, { symbol }: Token) =>
  new RouteNotFound({
    provider: name,
    reason: `less ${symbol} arrives than is sent: the token takes a fee on its transfers, or changes balances by itself`
  })

/** The provider's new offer; null where it is the same as before. */
const changedOffer = Effect.fnUntraced(function* (provider: SwapProvider, { amountOut, ...request }: Offer) {
  const later = yield* provider.offer(request)
  return later.amountOut === amountOut ? null : later
})

/** Makes an offer ready to be signed; the context is null where the wallet makes no user operations. */
export const readySwaps = Effect.gen(function* () {
  const preparations = yield* Preparations
  const transferFeeToken = yield* transferFeeTokens
  const planBitcoin = bitcoinPlans(yield* BitcoinTransactions, yield* walletDeposits)

  /** By a user operation that makes the offer's calls. */
  const prepareCalls = Effect.fnUntraced(function* (
    order: SwapOrder,
    provider: SwapProvider,
    offer: Offer,
    context: OperationContext
  ): Effect.fn.Return<Prepared<SwapPlan>, BadRequest | OfferError> {
    const prepared = yield* preparations.prepare(context, {
      callGas: SWAP_CALL_GAS,
      before: order.joins,
      plan: planSwap(order, offer),
      spends: ({ split }) => [{ token: order.tokens.tokenIn, amount: order.amountIn - split.gasFee }]
    })
    const { intents, plan, simulation } = prepared
    if (plan.offer.intent._tag === "Calls") {
      yield* plan.offer.intent.check?.(offerRunOf(prepared), plan.terms) ?? Effect.void
    }
    // The operation of a limit order sends nothing of what the order trades.
    const token = order.limit === null ? yield* transferFeeToken(order, plan, simulation, context) : null
    if (token === null) return { ...prepared, intents: [...intents, ...(yield* intentsAfter(plan))] }
    // Less may also arrive because the pools have changed since they were read.
    const later = token === order.tokens.tokenIn ? null : yield* changedOffer(provider, offer)
    if (later === null) return yield* takesFee(provider, token)
    return yield* prepareCalls(order, provider, later, context)
  })

  /** By a payment on Bitcoin's chain: planned again where the miner's fee comes out of the amount, until it is not more. */
  const prepareBitcoin = Effect.fnUntraced(function* (
    order: SwapOrder,
    provider: SwapProvider,
    offer: Offer
  ): Effect.fn.Return<Prepared<SwapPlan>, BadRequest | OfferError> {
    let maxGasFee = 0n
    for (let tries = 0; tries < FEE_TRIES; tries++) {
      const planned = yield* preparations.prepareIntents((planFor) =>
        Effect.map(planBitcoin(order, provider, offer, { ...planFor, maxGasFee }), (plan) => ({
          ...plan,
          intents: [plan.payment.deposit.intent]
        }))
      )
      const { fee } = planned.plan.payment.deposit.selection
      if (deductedGasFee(order, fee) <= maxGasFee) return planned
      maxGasFee = fee
    }
    return yield* new RouteNotFound({
      provider: provider.name,
      reason: "the fee of its payment keeps changing; ask again"
    })
  })

  const prepareOffer = Effect.fnUntraced(function* (
    order: SwapOrder,
    provider: SwapProvider,
    offer: Offer,
    context: OperationContext | null
  ) {
    switch (offer.intent._tag) {
      case "Intents":
        return yield* preparations.prepareIntents(planIntents(order, offer))
      case "BitcoinPayment":
        return yield* prepareBitcoin(order, provider, offer)
      case "Calls":
        return context === null
          ? yield* Effect.die(new Error(`${provider.name} offers calls to a wallet that makes none`))
          : yield* prepareCalls(order, provider, offer, context)
    }
  })

  return Effect.fnUntraced(function* (
    order: SwapOrder,
    provider: SwapProvider,
    offer: Offer,
    context: OperationContext | null,
    prices: QuotedPrices
  ): Effect.fn.Return<ReadySwap, BadRequest | OfferError> {
    return { order, provider: provider.id, prepared: yield* prepareOffer(order, provider, offer, context), prices }
  })
})
