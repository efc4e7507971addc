import { Effect } from "effect"
import { BadRequest } from "../../foundation/errors/index.ts"
import { deductFees, type FeeDeduction } from "../../foundation/fees/index.ts"
import { decimalFromBaseUnits } from "../../foundation/primitives/index.ts"
import type { Token } from "../../foundation/tokens/index.ts"
import type { PlanParameters } from "../../operations/quotes/index.ts"
import { type Call, transferCall } from "../../operations/user-operations/index.ts"
import {
  guaranteedOutput,
  type Offer,
  type OfferError,
  type OfferRequest,
  RouteNotFound,
  type SwapProvider
} from "../swap/index.ts"
import type { BatchElement, SwapElement, TransferElement } from "./BatchContent.ts"
import { type BatchOrder, type BatchStep, gasPayingStepIndex } from "./batchOrders.ts"
import { BatchElementUnavailable } from "./errors.ts"

export interface BatchPlan {
  readonly elements: ReadonlyArray<BatchElement>
  /** The split of each element's amount into fees and net amount. */
  readonly divisions: ReadonlyArray<FeeDeduction>
  readonly calls: ReadonlyArray<Call>
}

const feeDeductionOf = (
  { collectors }: BatchOrder,
  { amount, fees, tokenIn, tokenOut }: BatchStep,
  i: number,
  gasFee: bigint
): Effect.Effect<FeeDeduction, BadRequest> =>
  Effect.mapError(Effect.fromOption(deductFees(tokenIn, amount, gasFee, fees, collectors)), () =>
    BadRequest.of(
      `operations[${i}].params.${tokenOut === null ? "amount" : "amountIn"}`,
      "fees_exceed_amount",
      `The fees equal or exceed the amount of ${decimalFromBaseUnits(amount, tokenIn.decimals)} ${tokenIn.symbol}. Increase the amount.`
    )
  )

const transferElement = (
  { amount, toAddress, tokenIn: token }: BatchStep,
  { split }: FeeDeduction
): TransferElement => ({
  type: "transfer",
  token,
  toAddress,
  amount,
  split,
  calls: [transferCall(token, toAddress, split.net)]
})

const swapElement = Effect.fnUntraced(function* (
  order: BatchOrder,
  step: BatchStep,
  { fees, payments, split }: FeeDeduction,
  provider: SwapProvider,
  offer: Offer,
  deadline: number
) {
  const { amount, operation, toAddress, tokenIn, tokenOut } = step
  if (operation.type !== "swap" || tokenOut === null || offer.intent._tag !== "Calls") {
    return yield* Effect.die(new Error("A batch supports only swap offers that consist of calls"))
  }
  if (offer.intent.checkSimulation !== undefined) {
    return yield* new RouteNotFound({
      provider: provider.name,
      reason: "its calls can be verified only in a single swap, not in a batch"
    })
  }
  const minAmountOut = guaranteedOutput(offer, operation.params.slippage)
  const swapCalls = yield* offer.intent.buildCalls({
    sender: order.wallet.account.address,
    signer: order.wallet.account.owner,
    recipient: toAddress,
    minAmountOut,
    deadline
  })
  const element: SwapElement = {
    type: "swap",
    provider: provider.id,
    tokenIn,
    tokenOut,
    toAddress,
    amount,
    amountOut: offer.amountOut,
    minAmountOut,
    transactionFeePercent: step.fees.transactionFeePercent,
    route: offer.route,
    priceImpactE18: offer.priceImpactE18 ?? null,
    split,
    fees,
    calls: [...payments.map((payment) => transferCall(tokenIn, payment.recipient, payment.amount)), ...swapCalls]
  }
  return element
})

/** Requests the offer for a swap that runs after the earlier swaps of the batch. */
const requestNextOffer = (
  provider: SwapProvider,
  previousOffer: Offer | null,
  request: OfferRequest
): Effect.Effect<Offer, OfferError> =>
  previousOffer === null
    ? provider.offer(request)
    : previousOffer.requestFollowUp === null
      ? Effect.die(
          new Error(`${provider.name} can't quote a second swap in the same batch: its offer has no \`afterwards\``)
        )
      : previousOffer.requestFollowUp(request)

interface PlannedSwap {
  readonly element: SwapElement
  readonly offer: Offer
}

/** The inputs from which a swap was planned. A swap with the same inputs reuses its earlier plan. */
interface SwapTerms {
  readonly net: bigint
  readonly deadline: number
  /**
   * The offer of the previous swap in the batch. If it changes, the pool states of this swap may change too. Null for
   * the first swap.
   */
  readonly before: Offer | null
}

const isSame = (a: SwapTerms, b: SwapTerms): boolean =>
  a.net === b.net && a.deadline === b.deadline && a.before === b.before

/**
 * Plans the elements of a batch in order. Each swap is quoted against the pool states that the earlier swaps leave.
 * `firstOffer` is the offer for the first swap: all plans of the batch reuse it, so they use the same chain state. The
 * returned function is called for several gas fees. A swap with unchanged inputs reuses its earlier plan.
 */
export const planBatch = (order: BatchOrder, provider: SwapProvider | null, firstOffer: Offer | null) => {
  const gasStepIndex = gasPayingStepIndex(order)
  const latestPlans = new Map<number, SwapTerms & PlannedSwap>()

  const planSwap = Effect.fnUntraced(function* (
    i: number,
    step: BatchStep & { readonly tokenOut: Token },
    feeDeduction: FeeDeduction,
    provider: SwapProvider,
    terms: SwapTerms
  ): Effect.fn.Return<PlannedSwap, OfferError> {
    const cachedPlan = latestPlans.get(i)
    if (cachedPlan !== undefined && isSame(cachedPlan, terms)) return cachedPlan
    const { before, deadline, net } = terms
    const { tokenIn, tokenOut } = step
    const offer = yield* before === null && firstOffer !== null
      ? firstOffer.requoteAmount(net)
      : requestNextOffer(provider, before, { tokenIn, tokenOut, amountIn: net, limit: null })
    const element = yield* swapElement(order, step, feeDeduction, provider, offer, deadline)
    const plannedSwap = { ...terms, element, offer }
    latestPlans.set(i, plannedSwap)
    return plannedSwap
  })

  return Effect.fnUntraced(function* ({
    deadline,
    maxGasFee
  }: PlanParameters): Effect.fn.Return<BatchPlan, BadRequest | BatchElementUnavailable> {
    const elements: Array<BatchElement> = []
    const feeDeductions: Array<FeeDeduction> = []
    let previousOffer: Offer | null = null
    for (const [i, step] of order.steps.entries()) {
      const { tokenOut } = step
      const feeDeduction = yield* feeDeductionOf(order, step, i, i === gasStepIndex ? maxGasFee : 0n)
      feeDeductions.push(feeDeduction)
      if (tokenOut === null || provider === null) {
        elements.push(transferElement(step, feeDeduction))
        continue
      }
      const terms: SwapTerms = { net: feeDeduction.split.net, deadline, before: previousOffer }
      const plannedOffer: PlannedSwap = yield* Effect.mapError(
        planSwap(i, { ...step, tokenOut }, feeDeduction, provider, terms),
        (error) => new BatchElementUnavailable({ index: i, reason: error.message })
      )
      previousOffer = plannedOffer.offer
      elements.push(plannedOffer.element)
    }
    return { elements, divisions: feeDeductions, calls: elements.flatMap(({ calls }) => calls) }
  })
}
