import type { DateTime } from "effect"
import type { FiatOrder } from "./FiatOrder.ts"
import { canMove, type FiatOrderState } from "./orderStates.ts"

/** The order after a move, and unchanged where its state allows none: a word that comes late, twice or wrongly changes nothing. */
export const movedOrder = (
  order: FiatOrder,
  state: FiatOrderState,
  at: DateTime.Utc,
  reason: string | null = order.reason
): FiatOrder =>
  canMove(order.quote.direction, order.state, state)
    ? { ...order, state, reason, steps: [...order.steps, { state, at }], updatedAt: at }
    : order
