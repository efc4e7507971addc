import { decimalFromBaseUnits, lesser } from "../../foundation/primitives/index.ts"
import type { LendingLeg } from "./LendingMarket.ts"

/** A debt at the quote's block, and its maximum when the quote expires, in base units. */
export interface Debt {
  readonly now: bigint
  readonly later: bigint
}

const textIn =
  ({ token: { decimals, symbol } }: LendingLeg) =>
  (units: bigint): string =>
    `${decimalFromBaseUnits(units, decimals)} ${symbol}`

/** The amount of a repayment, at most the debt. */
export const repaidOf = ({ amount }: LendingLeg, { later }: Debt): bigint =>
  amount === "MAX" ? later : lesser(amount, later)

/** The missing amount to repay a whole debt when the quote expires; null for none, or without a full repayment. */
export const shortfallOf = (leg: LendingLeg | undefined, debt: Debt, balance: bigint): string | null => {
  const { later } = debt
  if (leg === undefined || repaidOf(leg, debt) < later || balance >= later) return null
  const text = textIn(leg)
  return `${text(later - balance)} are missing: the debt can reach ${text(later)} when the quote expires, and the wallet has ${text(balance)}.`
}

/** The warning for an amount that equals the debt now, and is less than it after further interest. */
export const repaymentWarnings = (leg: LendingLeg | undefined, { later, now }: Debt): ReadonlyArray<string> => {
  if (leg === undefined || leg.amount === "MAX" || leg.amount < now || leg.amount >= later) return []
  const text = textIn(leg)
  return [
    `${text(leg.amount)} may not repay the whole debt, which can reach ${text(later)} when the quote expires. Send "MAX" to repay the whole debt.`
  ]
}
