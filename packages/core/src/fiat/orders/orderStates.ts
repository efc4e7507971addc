import { Schema } from "effect"

export const FiatOrderState = Schema.Literals([
  "AWAITING_FUNDS",
  "FUNDS_RECEIVED",
  "PROCESSING",
  "IN_REVIEW",
  "COMPLETED",
  "EXPIRED",
  "CANCELLED",
  "FAILED",
  "RETURNED",
  "REFUNDED"
])
export type FiatOrderState = typeof FiatOrderState.Type

export const FiatDirection = Schema.Literals(["DEPOSIT", "WITHDRAWAL"])
export type FiatDirection = typeof FiatDirection.Type

type Table = Readonly<Record<FiatOrderState, ReadonlyArray<FiatOrderState>>>

/**
 * All state transitions. Providers need not report each state, so an order may skip states. It does not return to an
 * earlier state, except from a review to PROCESSING. A late deposit payment is returned to its payer (REFUNDED), unless
 * the provider credits it (COMPLETED). A deposit payment that can't be used is also returned. If a bank can't pay out,
 * the provider returns the token (RETURNED).
 */
const transitions: Readonly<Record<FiatDirection, Table>> = {
  DEPOSIT: {
    AWAITING_FUNDS: [
      "FUNDS_RECEIVED",
      "PROCESSING",
      "IN_REVIEW",
      "COMPLETED",
      "EXPIRED",
      "CANCELLED",
      "FAILED",
      "REFUNDED"
    ],
    FUNDS_RECEIVED: ["PROCESSING", "IN_REVIEW", "COMPLETED", "FAILED", "REFUNDED"],
    PROCESSING: ["IN_REVIEW", "COMPLETED", "FAILED", "REFUNDED"],
    IN_REVIEW: ["PROCESSING", "COMPLETED", "CANCELLED", "FAILED", "REFUNDED"],
    COMPLETED: [],
    EXPIRED: ["COMPLETED", "REFUNDED"],
    CANCELLED: ["REFUNDED"],
    FAILED: ["REFUNDED"],
    RETURNED: [],
    REFUNDED: []
  },
  WITHDRAWAL: {
    AWAITING_FUNDS: [
      "FUNDS_RECEIVED",
      "PROCESSING",
      "IN_REVIEW",
      "COMPLETED",
      "EXPIRED",
      "CANCELLED",
      "FAILED",
      "RETURNED"
    ],
    FUNDS_RECEIVED: ["PROCESSING", "IN_REVIEW", "COMPLETED", "FAILED", "RETURNED"],
    PROCESSING: ["IN_REVIEW", "COMPLETED", "FAILED", "RETURNED"],
    IN_REVIEW: ["PROCESSING", "COMPLETED", "FAILED", "RETURNED"],
    COMPLETED: [],
    EXPIRED: [],
    CANCELLED: [],
    FAILED: ["RETURNED"],
    RETURNED: [],
    REFUNDED: []
  }
}

export const canTransition = (direction: FiatDirection, from: FiatOrderState, to: FiatOrderState): boolean =>
  transitions[direction][from].includes(to)

const finalStates: ReadonlySet<FiatOrderState> = new Set([
  "COMPLETED",
  "EXPIRED",
  "CANCELLED",
  "FAILED",
  "RETURNED",
  "REFUNDED"
])

/**
 * Returns whether an order has ended. It can still change if funds are returned, or if the provider credits a late
 * payment.
 */
export const isOver = (state: FiatOrderState): boolean => finalStates.has(state)

/**
 * Returns the final states that an operator may set for an order in review, and for a pending order that is stuck: the
 * provider may no longer report it.
 */
export const resolutionsOf = (
  direction: FiatDirection,
  from: FiatOrderState,
  isStuck: boolean
): ReadonlyArray<FiatOrderState> =>
  from === "IN_REVIEW" || (isStuck && !isOver(from)) ? transitions[direction][from].filter(isOver) : []

/** Returns whether funds of an ended order may still move. */
export const canStillMoveFunds = (direction: FiatDirection, state: FiatOrderState): boolean =>
  isOver(state) && transitions[direction][state].length > 0

/** Returns whether an order counts toward its identity's limits: it is pending or completed. */
export const countsForLimits = (state: FiatOrderState): boolean => !isOver(state) || state === "COMPLETED"

/** The states for which `countsForLimits` is true. */
export const countedStates: ReadonlyArray<FiatOrderState> = FiatOrderState.literals.filter(countsForLimits)
