import { Effect } from "effect"
import { BitcoinTransactions } from "../../../bitcoin/chain/index.ts"
import { walletDeposits } from "../../../bitcoin/payments/index.ts"
import type { BadRequest } from "../../../foundation/errors/index.ts"
import { withoutAssumptions } from "../../../foundation/primitives/index.ts"
import type { QuotedPrices, Token } from "../../../foundation/tokens/index.ts"
import { Preparations, type PreparedPlan } from "../../../operations/quotes/index.ts"
import type { OperationContext } from "../../../operations/user-operations/index.ts"
import { type Offer, type OfferError, RouteNotFound, type SwapProvider } from "../provider/Offer.ts"
import type { SwapOrder } from "../swapOrders.ts"
import { bitcoinPlans } from "./bitcoinPlan.ts"
import { limitOrderFees } from "./limitOrderFees.ts"
import { offerRunOf } from "./offerRun.ts"
import { shortfalls } from "./shortfalls.ts"
import { deductedGasFee, intentsAfter, planIntents, planSwap, SWAP_CALL_GAS, type SwapPlan } from "./swapPlan.ts"

/** A swap that is ready to be signed, with an intent of any type. */
export interface ReadySwap {
  readonly order: SwapOrder
  readonly provider: string
  readonly prepared: PreparedPlan<SwapPlan>
  readonly prices: QuotedPrices
}

/**
 * Maximum number of plans for a Bitcoin payment. A deducted miner fee changes the amount, which may then need different
 * UTXOs and another fee.
 */
const FEE_TRIES = 4

const transferFeeError = ({ name }: SwapProvider, { symbol }: Token) =>
  new RouteNotFound({
    provider: name,
    reason: `the received amount of ${symbol} is less than the sent amount: the token charges a fee on transfers, or rebases (changes balances without transfers)`
  })

/** Maximum number of further offers that are requested for a swap if less arrives than offered. */
const OFFER_TRIES = 2

/**
 * Builds the error for a route that still delivers too little after further offers, although a plain transfer of the
 * token delivers the full amount.
 */
const outputReducedError = ({ name }: SwapProvider, { symbol }: Token) =>
  new RouteNotFound({
    provider: name,
    reason: `the received amount of ${symbol} is less than the route's offer: a contract on the route pays a part to another account, or the token charges a fee when it is bought`
  })

const poolsChangedError = ({ name }: SwapProvider, { symbol }: Token) =>
  new RouteNotFound({
    provider: name,
    reason: `other trades changed the pools during the quote, so the received amount of ${symbol} is less than offered. Request the quote again`
  })

/** Number of further offers for one swap so far, and whether their amounts differed. */
interface FurtherOffers {
  readonly count: number
  readonly didChange: boolean
}

/** Prepares an offer for signing. `context` is null if the wallet makes no user operations. */
export const readySwaps = Effect.gen(function* () {
  const preparations = yield* Preparations
  const findShortfall = yield* shortfalls
  const feeTokenOf = yield* limitOrderFees
  const planBitcoin = bitcoinPlans(yield* BitcoinTransactions, yield* walletDeposits)

  /** Prepares a user operation with the offer's calls. */
  const prepareCalls = Effect.fnUntraced(function* (
    order: SwapOrder,
    provider: SwapProvider,
    offer: Offer,
    context: OperationContext,
    furtherOffers: FurtherOffers = { count: 0, didChange: false }
  ): Effect.fn.Return<PreparedPlan<SwapPlan>, BadRequest | OfferError> {
    const preparedOperation = yield* preparations.prepare(context, {
      callGas: SWAP_CALL_GAS,
      before: order.joins,
      plan: planSwap(order, offer),
      listSpentAmounts: ({ split }) => [{ token: order.tokens.tokenIn, amount: order.amountIn - split.gasFee }]
    })
    const { intents, plan, simulation } = preparedOperation
    if (plan.offer.intent._tag === "Calls") {
      yield* plan.offer.intent.checkSimulation?.(offerRunOf(preparedOperation), plan.terms) ?? Effect.void
    }
    // The operation of a limit order does not move the order's tokens, so nothing can be compared.
    const shortfall = order.limit === null ? yield* findShortfall(order, plan, simulation, context) : null
    if (shortfall === null) return { ...preparedOperation, intents: [...intents, ...(yield* intentsAfter(plan))] }
    const { isTokensFault, token } = shortfall
    if (isTokensFault) return yield* transferFeeError(provider, token)
    if (furtherOffers.count === OFFER_TRIES)
      return yield* (furtherOffers.didChange ? poolsChangedError : outputReducedError)(provider, token)
    // The pools may have changed after they were read. The new request therefore omits the results of the earlier
    // offer.
    const { amountOut, ...request } = offer
    const refreshedOffer = yield* withoutAssumptions(provider.offer(request))
    const didChange = furtherOffers.didChange || refreshedOffer.amountOut !== amountOut
    return yield* prepareCalls(order, provider, refreshedOffer, context, { count: furtherOffers.count + 1, didChange })
  })

  /**
   * Prepares a Bitcoin payment. If the miner fee is deducted from the amount, plans the payment at most `FEE_TRIES`
   * times, until the fee no longer increases. If the balance is too low, the plan contains nothing to sign.
   */
  const prepareBitcoin = Effect.fnUntraced(function* (
    order: SwapOrder,
    provider: SwapProvider,
    offer: Offer
  ): Effect.fn.Return<PreparedPlan<SwapPlan>, BadRequest | OfferError> {
    let maxGasFee = 0n
    for (let tries = 0; tries < FEE_TRIES; tries++) {
      const preparation = yield* preparations.prepareIntents((planFor) =>
        planBitcoin(order, provider, offer, { ...planFor, maxGasFee })
      )
      const { payment, revertReason } = preparation.plan
      if (payment === undefined) return { ...preparation, revertReason }
      const { fee } = payment.deposit.selection
      if (deductedGasFee(order, fee) <= maxGasFee) return preparation
      maxGasFee = fee
    }
    return yield* new RouteNotFound({
      provider: provider.name,
      reason: "the miner fee of its Bitcoin payment still changed after several attempts. Request the quote again"
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
          ? yield* Effect.die(new Error(`${provider.name} returned calls for a wallet that can't send user operations`))
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
    const findFeeToken =
      order.limit === null || context === null ? Effect.succeed(null) : feeTokenOf(order, offer, context)
    const [prepared, feeToken] = yield* Effect.all([prepareOffer(order, provider, offer, context), findFeeToken], {
      concurrency: 2
    })
    if (feeToken !== null) return yield* transferFeeError(provider, feeToken)
    return { order, provider: provider.id, prepared, prices }
  })
})
