import { Effect } from "effect"
import { isEvmAddress, type WalletAddress } from "../../../foundation/primitives/index.ts"
import { type Token, tokenKey } from "../../../foundation/tokens/index.ts"
import {
  arrivalsAt,
  type OperationContext,
  type Simulation,
  sumOfArrivals,
  type TokenTransfer
} from "../../../operations/user-operations/index.ts"
import type { OfferError } from "../provider/Offer.ts"
import type { SwapOrder } from "../swapOrders.ts"
import type { SwapPlan } from "./swapPlan.ts"
import { transferFees } from "./transferFees.ts"

/** Less of a token arrives than the offer states. */
export interface Shortfall {
  readonly token: Token
  /**
   * True if the token charges a fee on transfers. If false, the pools may have changed, or a pool pays a part to
   * another account.
   */
  readonly isTokensFault: boolean
}

/**
 * Returns the amount that arrives in a simulation if it is too low: for an EXACT offer, lower than offered, otherwise
 * lower than the minimum. Null if it is sufficient or unknown. On another chain it is unknown, because a different
 * token may have the same address there.
 */
const insufficientArrival = (
  { minAmountOut, offer }: Pick<SwapPlan, "minAmountOut" | "offer">,
  recipient: WalletAddress,
  transfers: ReadonlyArray<TokenTransfer>
): bigint | null => {
  if (offer.tokenIn.chainId !== offer.tokenOut.chainId) return null
  const arrivals = arrivalsAt(transfers, { token: offer.tokenOut.address, to: recipient })
  const sum = sumOfArrivals(arrivals)
  const isShort = arrivals.length > 0 && sum < (offer.certainty === "EXACT" ? offer.amountOut : minAmountOut)
  return isShort ? sum : null
}

/** Returns the contract that receives the amount first. Null if unknown. */
const receivingContractOf = ({ offer: { route } }: SwapPlan) => {
  const receivingContract = route[0]?.hops[0]?.through
  return receivingContract === undefined || !isEvmAddress(receivingContract) ? null : receivingContract
}

/** Returns the contract that pays the output. Null if unknown. */
const payingContractOf = ({ offer: { route } }: SwapPlan) => {
  const payingContract = route.at(-1)?.hops.at(-1)?.through
  return payingContract === undefined || !isEvmAddress(payingContract) ? null : payingContract
}

/** Finds the token that arrives in a lower amount than offered, by simulating parts of the plan. */
export const shortfalls = Effect.gen(function* () {
  const { takesFee, transfersOf } = yield* transferFees

  /**
   * Simulates a transfer of the output token after the swap. It shows the token's own fee, without amounts that the
   * route's pools pay to other accounts.
   */
  const outputShortfall = Effect.fnUntraced(function* (
    { request, tokens: { tokenOut } }: SwapOrder,
    plan: SwapPlan,
    transfers: ReadonlyArray<TokenTransfer>,
    context: OperationContext
  ): Effect.fn.Return<Shortfall | null, OfferError> {
    const arrivedUnits = insufficientArrival(plan, request.toAddress, transfers)
    const { intent } = plan.offer
    if (arrivedUnits === null) return null
    const payingContract = payingContractOf(plan)
    if (intent._tag !== "Calls" || payingContract === null) return { token: tokenOut, isTokensFault: false }
    const swap = intent.buildCalls({ ...plan.terms, recipient: plan.terms.sender, minAmountOut: 1n })
    return {
      token: tokenOut,
      isTokensFault: yield* takesFee(context, tokenOut, payingContract, arrivedUnits, () => swap)
    }
  })

  /**
   * Finds the token that makes a plan revert. Routers revert at the first missing amount: at an input that does not
   * arrive in full at the first contract, or at an output below the minimum.
   */
  const failureShortfall = Effect.fnUntraced(function* (
    order: SwapOrder,
    plan: SwapPlan,
    context: OperationContext
  ): Effect.fn.Return<Shortfall | null, OfferError> {
    const { tokenIn } = order.tokens
    const { intent } = plan.offer
    if ((context.state.balances.get(tokenKey(tokenIn)) ?? 0n) < plan.split.net) return null
    const receivingContract = receivingContractOf(plan)
    if (receivingContract !== null && (yield* takesFee(context, tokenIn, receivingContract, plan.split.net))) {
      return { token: tokenIn, isTokensFault: true }
    }
    if (intent._tag !== "Calls") return null
    const planWithoutMinimum = intent.buildCalls({ ...plan.terms, minAmountOut: 1n })
    return yield* outputShortfall(order, plan, yield* transfersOf(context, () => planWithoutMinimum), context)
  })

  /** Returns the token that arrives in a lower amount than offered. Null if there is none. */
  return (
    order: SwapOrder,
    plan: SwapPlan,
    { revert, transfers }: Simulation,
    context: OperationContext
  ): Effect.Effect<Shortfall | null, OfferError> =>
    revert === null ? outputShortfall(order, plan, transfers, context) : failureShortfall(order, plan, context)
})
