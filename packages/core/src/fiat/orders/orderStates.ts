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
 * Every move there is. States may be left out, because a provider need not tell of each; none leads back. What comes after its time
 * goes back to its payer (REFUNDED), or is credited by a provider that does so (COMPLETED); what cannot be used goes back. A bank
 * that can't pay out sends back what it was given (RETURNED).
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

/** Whether an order is over. What comes afterwards is money on its way back. */
export const isOver = (state: FiatOrderState): boolean => ends.has(state)

/** The ends that an operator may give an order, which is in review because no provider's report fits it. */
export const resolutionsOf = (direction: FiatDirection, from: FiatOrderState): ReadonlyArray<FiatOrderState> =>
  from === "IN_REVIEW" ? moves[direction][from].filter(isOver) : []

/** Whether money of an order that is over may still move. */
export const mayMoveOn = (direction: FiatDirection, state: FiatOrderState): boolean =>
  isOver(state) && moves[direction][state].length > 0

/** Whether an order counts against its identity's limits: it may still move money, or has. */
export const countsForLimits = (state: FiatOrderState): boolean => !isOver(state) || state === "COMPLETED"

/** The states that `countsForLimits` is true for. */
export const countedStates: ReadonlyArray<FiatOrderState> = FiatOrderState.literals.filter(countsForLimits)
