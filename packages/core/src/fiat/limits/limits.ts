import { type LimitPeriod, limitPeriods } from "./periods.ts"

/** The limits for one direction and payment method, in the smallest units of the currency. */
export interface Limits extends Readonly<Record<LimitPeriod, bigint>> {
  readonly perTransaction: bigint
}

/** Limits in units of the currency (not cents), as an operator sets them. */
export type LimitAmounts = Readonly<Record<LimitPeriod | "perTransaction", bigint>>

/** The total of pending and completed orders in each period. */
export type UsedAmounts = Readonly<Record<LimitPeriod, bigint>>

export const noUsage: UsedAmounts = { daily: 0n, monthly: 0n, quarterly: 0n }

/** Returns the remaining amount of a period. If a limit was lowered below the used amount, returns zero. */
export const remainingAmountOf = (limits: Limits, used: UsedAmounts, period: LimitPeriod): bigint =>
  used[period] >= limits[period] ? 0n : limits[period] - used[period]

export interface LimitExcess {
  readonly period: LimitPeriod | "perTransaction"
  readonly remainingAmount: bigint
}

/** Returns the exceeded limit with the smallest remaining amount. Null if no limit is exceeded. */
export const excessOrNull = (limits: Limits, used: UsedAmounts, amount: bigint): LimitExcess | null => {
  const all: ReadonlyArray<LimitExcess> = [
    { period: "perTransaction", remainingAmount: limits.perTransaction },
    ...limitPeriods.map((period) => ({ period, remainingAmount: remainingAmountOf(limits, used, period) }))
  ]
  const exceededLimits = all.filter(({ remainingAmount }) => amount > remainingAmount)
  return exceededLimits.reduce<LimitExcess | null>(
    (tightest, one) => (tightest === null || one.remainingAmount < tightest.remainingAmount ? one : tightest),
    null
  )
}
