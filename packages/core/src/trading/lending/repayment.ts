import { decimalFromBaseUnits, minBigInt } from "../../foundation/primitives/index.ts"
import type { LendingLeg } from "./LendingMarket.ts"

/** A debt at the quote's block, and its maximum until the operation can no longer be included, in base units. */
export interface Debt {
  readonly now: bigint
  readonly later: bigint
}

const amountFormatter =
  ({ token: { decimals, symbol } }: LendingLeg) =>
  (units: bigint): string =>
    `${decimalFromBaseUnits(units, decimals)} ${symbol}`

/** Returns the maximum amount that a repayment spends, which is at most the maximum debt. */
export const repaidAmountOf = ({ amount }: LendingLeg, { later }: Debt): bigint =>
  amount === "MAX" ? later : minBigInt(amount, later)

/**
 * Describes the amount that the wallet lacks to repay the maximum debt. Null if the balance is sufficient, and for
 * partial repayments.
 */
export const shortfallOf = (leg: LendingLeg | undefined, debt: Debt, balance: bigint): string | null => {
  const { later } = debt
  if (leg === undefined || repaidAmountOf(leg, debt) < later || balance >= later) return null
  const formatAmount = amountFormatter(leg)
  return `${formatAmount(later - balance)} are missing: the debt can reach ${formatAmount(later)} before the operation is executed, and the wallet has ${formatAmount(balance)}.`
}

/** Warns if the amount covers the current debt, but not the maximum debt, which includes later interest. */
export const repaymentWarnings = (leg: LendingLeg | undefined, { later, now }: Debt): ReadonlyArray<string> => {
  if (leg === undefined || leg.amount === "MAX" || leg.amount < now || leg.amount >= later) return []
  const formatAmount = amountFormatter(leg)
  return [
    `${formatAmount(leg.amount)} may not repay the complete debt, which can reach ${formatAmount(later)} before the operation is executed. Send "MAX" to repay the complete debt.`
  ]
}
