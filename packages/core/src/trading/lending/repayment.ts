import { decimalFromBaseUnits, lesser } from "../../foundation/primitives/index.ts"
import type { LendingLeg } from "./LendingMarket.ts"

/** A debt at the quote's block, and its maximum value when the quote expires, in base units. */
export interface Debt {
  readonly now: bigint
  readonly later: bigint
}

const amountFormatter =
  ({ token: { decimals, symbol } }: LendingLeg) =>
  (units: bigint): string =>
    `${decimalFromBaseUnits(units, decimals)} ${symbol}`

/** The amount of a repayment. It is at most the debt. */
export const repaidOf = ({ amount }: LendingLeg, { later }: Debt): bigint =>
  amount === "MAX" ? later : lesser(amount, later)

/** The missing amount to repay a whole debt when the quote expires. Null without one, and for partial repayments. */
export const shortfallOf = (leg: LendingLeg | undefined, debt: Debt, balance: bigint): string | null => {
  const { later } = debt
  if (leg === undefined || repaidOf(leg, debt) < later || balance >= later) return null
  const formatAmount = amountFormatter(leg)
  return `${formatAmount(later - balance)} are missing: the debt can reach ${formatAmount(later)} when the quote expires, and the wallet has ${formatAmount(balance)}.`
}

/** The warning for an amount that equals the debt now, but not the debt with further interest. */
export const repaymentWarnings = (leg: LendingLeg | undefined, { later, now }: Debt): ReadonlyArray<string> => {
  if (leg === undefined || leg.amount === "MAX" || leg.amount < now || leg.amount >= later) return []
  const formatAmount = amountFormatter(leg)
  return [
    `${formatAmount(leg.amount)} may not repay the whole debt, which can reach ${formatAmount(later)} when the quote expires. Send "MAX" to repay the whole debt.`
  ]
}
