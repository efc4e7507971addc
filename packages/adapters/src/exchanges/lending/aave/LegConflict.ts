import type { LendingLeg, LendingLegs } from "@countersign/core/trading/lending"
import type { AaveState, LegState } from "./aaveState.ts"

/** Returns why a leg can't be executed; null if this conflict does not apply. */
export type LegConflict = (leg: LendingLeg, state: LegState, aaveState: AaveState, legs: LendingLegs) => string | null

export const unitsOf = ({ amount }: LendingLeg): bigint => (amount === "MAX" ? 0n : amount)

/** Returns the amount that a withdrawal takes from the supplied amount. */
export const withdrawnUnitsOf = ({ amount }: LendingLeg, supplied: bigint): bigint =>
  amount === "MAX" ? supplied : amount
