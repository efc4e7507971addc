import { Effect, Option } from "effect"
import { BadRequest } from "../../errors/index.ts"
import { type CollectedFees, collectFees, feePayments } from "../../fees/index.ts"
import type { Intent } from "../../intents/index.ts"
import { decimalFromBaseUnits, isNativeCoin } from "../../primitives/index.ts"
import type { PlanFor } from "../../quotes/index.ts"
import { type Call, type GasLimits, transfer } from "../../user-operations/index.ts"
import { addressOf, signerOf } from "../../wallets/index.ts"
import type { Offer, OfferError, OfferTerms } from "../provider/Offer.ts"
import type { SwapOrder } from "../SwapOrder.ts"
import { minAmountOutRoundingDown } from "./slippage.ts"

/** A generous gas limit for a swap of a wallet that is not deployed. */
export const provisionalLimits: GasLimits = {
  callGasLimit: 450_000n,
  verificationGasLimit: 350_000n,
  preVerificationGas: 60_000n,
  paymasterVerificationGasLimit: 60_000n,
  paymasterPostOpGasLimit: 80_000n
}

export interface SwapPlan {
  readonly offer: Offer
  readonly split: CollectedFees
  readonly minAmountOut: bigint
  readonly terms: OfferTerms
  readonly calls: ReadonlyArray<Call>
}

/** What an order guarantees of an offer: all of a floor, and of an exact amount what slippage leaves. */
export const guaranteedOutput = ({ amountOut, certainty }: Offer, slippage: number): bigint =>
  certainty === "FLOOR" ? amountOut : minAmountOutRoundingDown(amountOut, slippage)

/**
 * What gas takes out of the amount that is swapped. Where it is deducted and paid in tokenOut it comes out of what the
 * swap gives, and the amount is swapped whole.
 */
export const deductedGasFee = ({ request, tokens }: SwapOrder, maxGasFee: bigint): bigint =>
  request.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT" && tokens.payGasFeeToken.address === tokens.tokenIn.address
    ? maxGasFee
    : 0n

const feesExceedAmount = ({ request, tokens }: SwapOrder, maxGasFee: bigint): BadRequest =>
  BadRequest.of(
    "amountIn",
    "fees_exceed_amount",
    `The fees leave nothing of ${request.amountIn} ${tokens.tokenIn.symbol} to swap; gas alone can take ${decimalFromBaseUnits(maxGasFee, tokens.tokenIn.decimals)}.`
  )

/** The division of the amount by its fees. */
export const splitFor = (order: SwapOrder, maxGasFee: bigint): Effect.Effect<CollectedFees, BadRequest> =>
  Option.match(collectFees(order.amountIn, deductedGasFee(order, maxGasFee), order.request, order.collectors), {
    onNone: () => Effect.fail(feesExceedAmount(order, maxGasFee)),
    onSome: Effect.succeed
  })

export const termsFor = (order: SwapOrder, minAmountOut: bigint, deadline: number): OfferTerms => ({
  sender: addressOf(order.wallet),
  signer: signerOf(order.wallet),
  recipient: order.recipient,
  minAmountOut,
  deadline
})

const failOfChangedKind = Effect.die(new Error("An offer keeps its kind of intent for every amount"))

/** The offer for what the fees leave of the amount, and the calls that pay the fees and swap. */
export const planSwap = (order: SwapOrder, offer: Offer) =>
  Effect.fnUntraced(function* ({ deadline, maxGasFee }: PlanFor): Effect.fn.Return<SwapPlan, BadRequest | OfferError> {
    const { tokenIn } = order.tokens
    const split = yield* splitFor(order, maxGasFee)
    const netOffer = yield* offer.forAmount(split.net)
    const minAmountOut = guaranteedOutput(netOffer, order.request.slippage)
    const payments = feePayments(split, order.request, order.collectors).map(({ amount, recipient }) =>
      transfer(tokenIn, isNativeCoin(tokenIn.address), recipient, amount)
    )
    const { intent } = netOffer
    if (intent._tag !== "Calls") return yield* failOfChangedKind
    const terms = termsFor(order, minAmountOut, deadline)
    const calls = yield* intent.calls(terms)
    return { offer: netOffer, split, minAmountOut, terms, calls: [...payments, ...calls] }
  })

/** The offer for what the fees leave of the amount, where it brings what is to be signed by itself. */
export const planIntents = Effect.fnUntraced(function* (
  order: SwapOrder,
  offer: Offer,
  deadline: number
): Effect.fn.Return<{ readonly plan: SwapPlan; readonly intents: ReadonlyArray<Intent> }, BadRequest | OfferError> {
  const split = yield* splitFor(order, 0n)
  const netOffer = yield* offer.forAmount(split.net)
  const minAmountOut = guaranteedOutput(netOffer, order.request.slippage)
  const terms = termsFor(order, minAmountOut, deadline)
  const { intent } = netOffer
  if (intent._tag !== "Intents") return yield* failOfChangedKind
  const intents = yield* intent.intents(terms, feePayments(split, order.request, order.collectors))
  return { plan: { offer: netOffer, split, minAmountOut, terms, calls: [] }, intents }
})

/** What is to be signed besides the operation of the plan's calls. */
export const intentsAfter = ({
  offer: { intent },
  terms
}: SwapPlan): Effect.Effect<ReadonlyArray<Intent>, OfferError> =>
  intent._tag === "Calls" && intent.after !== undefined ? intent.after(terms) : Effect.succeed([])
