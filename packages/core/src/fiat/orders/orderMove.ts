import { DateTime } from "effect"
import { decimalFromBaseUnits } from "../../foundation/primitives/index.ts"
import type { FiatOrder } from "./FiatOrder.ts"
import { canTransition, type FiatOrderState, resolutionsOf } from "./orderStates.ts"

/**
 * Returns the order after a state transition. If its state does not allow the transition, returns the order unchanged.
 * A late, duplicate or wrong report therefore changes nothing.
 */
export const transitionOrder = (
  order: FiatOrder,
  state: FiatOrderState,
  at: DateTime.Utc,
  reason: string | null = order.reason
): FiatOrder =>
  canTransition(order.quote.direction, order.state, state)
    ? { ...order, state, reason, transferMissingSince: null, steps: [...order.steps, { state, at }], updatedAt: at }
    : order

/** Hours after which an operator may end a pending order whose state has not changed. */
const UNCHANGED_HOURS = 24

/** Returns the final states that an operator may set for an order. */
export const resolutionsAt = ({ quote: { direction }, state, updatedAt }: FiatOrder, now: DateTime.Utc) =>
  resolutionsOf(direction, state, DateTime.isGreaterThan(now, DateTime.add(updatedAt, { hours: UNCHANGED_HOURS })))

/**
 * Returns the order after an operator's decision. If its state does not allow the decision, returns the order
 * unchanged.
 */
export const resolvedOrder = (order: FiatOrder, state: FiatOrderState, reason: string, at: DateTime.Utc): FiatOrder =>
  resolutionsAt(order, at).includes(state)
    ? { ...transitionOrder(order, state, at, reason), resolution: { state, reason, at } }
    : order

/**
 * Adds the remaining allowance, and how to revoke it, to the reason of a withdrawal that failed before the provider
 * collected its token.
 */
export const withRemainingAllowance = (order: FiatOrder): FiatOrder => {
  const { allowance, quote, reason, state } = order
  if (allowance === null || state !== "FAILED") return order
  const { decimals, symbol } = quote.token
  const allowanceSentence = `The wallet's allowance still permits ${allowance.spender} to take ${decimalFromBaseUnits(allowance.amount, decimals)} ${symbol}`
  const remedy =
    "The next withdrawal by this provider replaces the allowance; `approve` with an amount of 0 for that address revokes it"
  return { ...order, reason: [reason, allowanceSentence, remedy].filter((part) => part !== null).join(". ") }
}
