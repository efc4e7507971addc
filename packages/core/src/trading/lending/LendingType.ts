import { Schema } from "effect"

/** The actions of the legs, in their execution order within an operation. */
export const lendingActions = ["supply", "borrow", "repay", "withdraw"] as const
export type LendingAction = (typeof lendingActions)[number]

export const LendingType = Schema.Literals([
  "LENDING_SUPPLY",
  "LENDING_SUPPLY_BORROW",
  "LENDING_BORROW",
  "LENDING_REPAY",
  "LENDING_WITHDRAW",
  "LENDING_REPAY_WITHDRAW"
])
export type LendingType = typeof LendingType.Type

const typeByLegs: Readonly<Record<string, LendingType>> = {
  supply: "LENDING_SUPPLY",
  "supply borrow": "LENDING_SUPPLY_BORROW",
  borrow: "LENDING_BORROW",
  repay: "LENDING_REPAY",
  withdraw: "LENDING_WITHDRAW",
  "repay withdraw": "LENDING_REPAY_WITHDRAW"
}

/** Returns the operation type for a combination of legs. Null if the combination is invalid. */
export const lendingTypeOf = (legs: { readonly [Action in LendingAction]?: unknown }): LendingType | null =>
  typeByLegs[lendingActions.filter((action) => legs[action] !== undefined).join(" ")] ?? null
