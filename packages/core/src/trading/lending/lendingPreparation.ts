import type { BadRequest } from "../../foundation/errors/index.ts"
import { tokenKey } from "../../foundation/tokens/index.ts"
import { type PrepareRequest, withExplanation } from "../../operations/quotes/index.ts"
import {
  inclusionGraceSeconds,
  type OperationContext,
  type RevertReason,
  statedReason
} from "../../operations/user-operations/index.ts"
import type { LendingOffer } from "./LendingMarket.ts"
import { type LendingPlan, payingAction, planLending } from "./LendingPlan.ts"
import type { ResolvedLending } from "./lendingOrders.ts"
import { type Debt, repaidAmountOf, shortfallOf } from "./repayment.ts"

/** Gas limit for two legs with approvals. */
const CALL_GAS = 1_200_000n

/**
 * Additional gas, because the first call in each block accrues interest. In the simulated block, an earlier transaction
 * may already have accrued it.
 */
const INTEREST_GAS = 60_000n

/**
 * Number of inclusion grace periods that are added to the quote's validity: one for the age of the quote's block, one
 * for an operation that must be included first, and one for the operation itself.
 */
const GRACE_PERIODS = 3

/**
 * Returns the debt at the quote's block, and its maximum. The maximum is the debt in the last block that may include
 * the operation.
 */
export const debtOf = (offer: LendingOffer, { chainId, state }: OperationContext, quoteSeconds: number): Debt => ({
  now: offer.amountOf("repay", "MAX"),
  later: offer.debtAtRoundingUp(state.blockTimestamp + quoteSeconds + GRACE_PERIODS * inclusionGraceSeconds(chainId))
})

/**
 * Explains a revert by the market's state. If nothing reverts now, returns the amount that the wallet will lack before
 * the quote expires.
 */
const explainRevert = (
  revert: RevertReason | null,
  explanations: ReadonlyArray<string>,
  shortfall: string | null
): RevertReason | null => {
  if (revert !== null) return withExplanation(revert, explanations)
  return shortfall === null ? null : statedReason(shortfall)
}

/** Prepares the operation of a lending request from the market's offer. */
export const lendingPreparation = (
  { legs, payGasFeeToken, request }: ResolvedLending,
  offer: LendingOffer,
  debt: Debt,
  { state }: OperationContext
): PrepareRequest<LendingPlan, BadRequest> => ({
  callGas: CALL_GAS,
  laterCallGas: INTEREST_GAS,
  plan: planLending(offer, legs, payingAction(request, legs, payGasFeeToken), payGasFeeToken, debt.later),
  listSpentAmounts: ({ legs: { repay, supply } }) => [
    ...(supply === undefined || supply.amount === "MAX" ? [] : [{ token: supply.token, amount: supply.amount }]),
    ...(repay === undefined ? [] : [{ token: repay.token, amount: repaidAmountOf(repay, debt) }])
  ],
  explain: (revert, plan) => {
    const balance = legs.repay === undefined ? 0n : (state.balances.get(tokenKey(legs.repay.token)) ?? 0n)
    return explainRevert(revert, offer.conflictsOf(plan.legs), shortfallOf(legs.repay, debt, balance))
  }
})
