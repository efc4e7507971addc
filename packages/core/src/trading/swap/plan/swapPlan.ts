import { Effect, Option } from "effect"
import { BadRequest } from "../../../foundation/errors/index.ts"
import { deductFees, type FeeDeduction } from "../../../foundation/fees/index.ts"
import { decimalFromBaseUnits, ratioFromPercent } from "../../../foundation/primitives/index.ts"
import type { Intent } from "../../../operations/intents/index.ts"
import type { PlanParameters } from "../../../operations/quotes/index.ts"
import { type Call, transferCall } from "../../../operations/user-operations/index.ts"
import { addressOf, signerOf } from "../../../wallets/registry/index.ts"
import { evmFeesOf } from "../evmFees.ts"
import type { Offer, OfferError, OfferTerms } from "../provider/Offer.ts"
import type { SwapOrder } from "../swapOrders.ts"
import type { SwapPayment } from "./SwapPayment.ts"

export const SWAP_CALL_GAS = 450_000n

export interface SwapPlan extends FeeDeduction {
  readonly offer: Offer
  readonly minAmountOut: bigint
  readonly terms: OfferTerms
  /** The Bitcoin payment of the swap. Absent for user operations and orders, and if the wallet's balance is too low. */
  readonly payment?: SwapPayment
}

/**
 * Returns the minimum acceptable output. Rounded down, so that the quote does not promise more than the minimum that is
 * enforced.
 */
export const minAmountOutRoundingDown = (amountOut: bigint, slippagePercent: number): bigint => {
  const { denominator, numerator } = ratioFromPercent(slippagePercent)
  return (amountOut * (denominator - numerator)) / denominator
}

/** Returns the guaranteed output of an offer: the full amount for a FLOOR, otherwise the amount minus the slippage. */
export const guaranteedOutput = ({ amountOut, certainty }: Offer, slippage: number): bigint =>
  certainty === "FLOOR" ? amountOut : minAmountOutRoundingDown(amountOut, slippage)

/** Returns the gas fee that is deducted from the swapped amount. */
export const deductedGasFee = ({ request }: SwapOrder, maxGasFee: bigint): bigint =>
  request.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT" ? maxGasFee : 0n

export const feesExceedAmount = ({ request, tokens }: SwapOrder, maxGasFee: bigint): BadRequest =>
  BadRequest.of(
    "amountIn",
    "fees_exceed_amount",
    `The fees equal or exceed the amount of ${request.amountIn} ${tokens.tokenIn.symbol}. The gas fee can be up to ${decimalFromBaseUnits(maxGasFee, tokens.tokenIn.decimals)}.`
  )

/** Requests the offer for the amount that remains after deducted fees. */
const planNet = Effect.fnUntraced(function* (
  order: SwapOrder,
  offer: Offer,
  { deadline, maxGasFee }: PlanParameters
): Effect.fn.Return<SwapPlan, BadRequest | OfferError> {
  const { amountIn, collectors, request, wallet } = order
  const gasFee = deductedGasFee(order, maxGasFee)
  const requestFees = offer.takesFees === true ? { transactionFeePercent: 0 } : evmFeesOf(request)
  const feeDeduction = deductFees(order.tokens.tokenIn, amountIn, gasFee, requestFees, collectors)
  if (Option.isNone(feeDeduction)) return yield* feesExceedAmount(order, maxGasFee)
  const netOffer = yield* offer.requoteAmount(feeDeduction.value.split.net)
  const minAmountOut = guaranteedOutput(netOffer, request.slippage)
  return {
    ...feeDeduction.value,
    offer: netOffer,
    minAmountOut,
    terms: { sender: addressOf(wallet), signer: signerOf(wallet), recipient: request.toAddress, minAmountOut, deadline }
  }
})

const failOfChangedKind = Effect.die(new Error("An offer must have the same type of intent for every amount"))

/** Plans a swap, with the calls for the fees and the swap itself. */
export const planSwap = (order: SwapOrder, offer: Offer) =>
  Effect.fnUntraced(function* (
    planFor: PlanParameters
  ): Effect.fn.Return<SwapPlan & { readonly calls: ReadonlyArray<Call> }, BadRequest | OfferError> {
    const plan = yield* planNet(order, offer, planFor)
    const { intent, tokenIn } = plan.offer
    if (intent._tag !== "Calls") return yield* failOfChangedKind
    const payments = plan.payments.map(({ amount, recipient }) => transferCall(tokenIn, recipient, amount))
    return { ...plan, calls: [...payments, ...(yield* intent.buildCalls(plan.terms))] }
  })

/** Plans a swap whose offer creates its own intents. */
export const planIntents = (order: SwapOrder, offer: Offer) =>
  Effect.fnUntraced(function* (
    planFor: PlanParameters
  ): Effect.fn.Return<SwapPlan & { readonly intents: ReadonlyArray<Intent> }, BadRequest | OfferError> {
    const plan = yield* planNet(order, offer, planFor)
    const { intent } = plan.offer
    if (intent._tag !== "Intents") return yield* failOfChangedKind
    return { ...plan, intents: yield* intent.buildIntents(plan.terms, plan.payments) }
  })

/** Returns the intents that are signed in addition to the user operation. */
export const intentsAfter = ({
  offer: { intent },
  terms
}: SwapPlan): Effect.Effect<ReadonlyArray<Intent>, OfferError> =>
  intent._tag === "Calls" && intent.listLaterIntents !== undefined ? intent.listLaterIntents(terms) : Effect.succeed([])
