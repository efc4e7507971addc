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
 * All state transitions. States may be skipped, because providers need not report each; none leads back. A payment that
 * arrives late is returned to its payer (REFUNDED), or credited if the provider does so (COMPLETED); an unusable one is
 * returned. A bank that cannot pay out returns the token (RETURNED).
 */
const moves: Readonly<Record<FiatDirection, Table>> = {
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

export const canMove = (direction: FiatDirection, from: FiatOrderState, to: FiatOrderState): boolean =>
  moves[direction][from].includes(to)

const ends: ReadonlySet<FiatOrderState> = new Set([
  "COMPLETED",
  "EXPIRED",
  "CANCELLED",
  "FAILED",
  "RETURNED",
  "REFUNDED"
])

/** Whether an order has ended. Later changes are returned funds. */
export const isOver = (state: FiatOrderState): boolean => ends.has(state)

/** The final states that an operator may set for an order in review, because no provider report fits it. */
export const resolutionsOf = (direction: FiatDirection, from: FiatOrderState): ReadonlyArray<FiatOrderState> =>
  from === "IN_REVIEW" ? moves[direction][from].filter(isOver) : []

/** Whether funds of an ended order may still move. */
export const mayMoveOn = (direction: FiatDirection, state: FiatOrderState): boolean =>
  isOver(state) && moves[direction][state].length > 0

/** Whether an order counts against its identity's limits: it has moved funds, or may still move them. */
export const countsForLimits = (state: FiatOrderState): boolean => !isOver(state) || state === "COMPLETED"

/** The states that `countsForLimits` is true for. */
export const countedStates: ReadonlyArray<FiatOrderState> = FiatOrderState.literals.filter(countsForLimits)
