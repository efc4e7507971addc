import type { DateTime } from "effect"
import { decimalFromBaseUnits } from "../../foundation/primitives/index.ts"
import type { FiatOrder } from "./FiatOrder.ts"
import { canMove, type FiatOrderState, resolutionsOf } from "./orderStates.ts"

/**
 * The order after a state transition. If its state does not allow the transition, the order is unchanged. So a late,
 * duplicate or wrong report changes nothing.
 */
export const movedOrder = (
  order: FiatOrder,
  state: FiatOrderState,
  at: DateTime.Utc,
  reason: string | null = order.reason
): FiatOrder =>
  canMove(order.quote.direction, order.state, state)
    ? { ...order, state, reason, steps: [...order.steps, { state, at }], updatedAt: at }
    : order

/** The order after an operator's decision; unchanged if its state does not allow the decision. */
export const resolvedOrder = (order: FiatOrder, state: FiatOrderState, reason: string, at: DateTime.Utc): FiatOrder =>
  resolutionsOf(order.quote.direction, order.state).includes(state)
    ? { ...movedOrder(order, state, at, reason), resolution: { state, reason, at } }
    : order

/**
 * A withdrawal that failed before the provider collected its token. The reason states the remaining allowance and how
 * to revoke it.
 */
export const withAllowanceLeft = (order: FiatOrder): FiatOrder => {
  const { allowance, quote, reason, state } = order
  if (allowance === null || state !== "FAILED") return order
  const { decimals, symbol } = quote.token
  const allowanceSentence = `The wallet's allowance still permits ${allowance.spender} to take ${decimalFromBaseUnits(allowance.amount, decimals)} ${symbol}`
  const remedy =
    "The next withdrawal by this provider replaces the allowance; `approve` of 0 to that address revokes it"
  return { ...order, reason: [reason, allowanceSentence, remedy].filter((part) => part !== null).join(". ") }
}
