import { DateTime, type Effect } from "effect"
import type { Transaction, TransactionStatus } from "../../accounting/history/index.ts"
import { delayForAgeMs } from "../../foundation/work/index.ts"
import { FINALITY, type Step, type Work } from "../../operations/executions/index.ts"
import { FIAT_PAYOUT, FIAT_SUBMISSION } from "./depositQuote.ts"
import type { FiatOrder } from "./FiatOrder.ts"
import { orderDetails } from "./fiatDetails.ts"
import { bankMovements, isBankMovement } from "./fiatMovements.ts"
import { canStillMoveFunds, type FiatOrderState, isOver } from "./orderStates.ts"
import type { OrderTransfer } from "./orderTransfers.ts"
import { withTransfers } from "./withTransfers.ts"

/** Minimum and maximum delay between two requests to a provider. */
export const WAIT = { shortestMs: 1_000, longestMs: 60_000 }
/** Days for which an ended order is checked for a late payment or a refund. */
const LATE_DAYS = 30
const LATE_WAIT = { shortestMs: 1_000, longestMs: 60 * 60_000 }

/** Returns the delay until the next check of an order. */
export const waitMs = ({ execution: { acceptedAt } }: Work, now: DateTime.Utc): number =>
  delayForAgeMs(acceptedAt, now, WAIT)

/** Returns the delay until the next check of an ended order. Null if it is not checked again. */
export const lateWaitMs = (
  { providerOrder, quote: { direction }, resolution, state, updatedAt }: FiatOrder,
  now: DateTime.Utc
): number | null =>
  providerOrder !== null &&
  resolution === null &&
  canStillMoveFunds(direction, state) &&
  DateTime.isLessThan(now, DateTime.add(updatedAt, { days: LATE_DAYS }))
    ? delayForAgeMs(updatedAt, now, LATE_WAIT)
    : null

/** The status of the transaction for each final state of an order. */
export const statusByOrderState: { readonly [State in FiatOrderState]?: TransactionStatus } = {
  COMPLETED: "COMPLETED",
  EXPIRED: "EXPIRED",
  CANCELLED: "CANCELLED",
  FAILED: "FAILED",
  RETURNED: "REFUNDED",
  REFUNDED: "REFUNDED"
}

const withEnd = (
  transaction: Transaction,
  order: FiatOrder,
  paidAmount: bigint | null,
  now: DateTime.Utc
): Transaction => {
  const status = statusByOrderState[order.state]
  const shownTransaction = { ...transaction, substatus: order.state }
  if (status === undefined) return shownTransaction
  return {
    ...shownTransaction,
    status,
    // An order may end a second time after a reorg, so its earlier fiat movements are replaced.
    movements: [
      ...bankMovements(order, paidAmount),
      ...shownTransaction.movements.filter((movement) => !isBankMovement(movement))
    ],
    details: { ...shownTransaction.details, ...orderDetails(order) },
    failure:
      order.state === "FAILED"
        ? { code: "FIAT_ORDER_FAILED", message: order.reason ?? "The bank gave no reason" }
        : null,
    executedAt: now
  }
}

/** Returns the order with the received token amount of a completed deposit. */
export const withReceivedAmount = (order: FiatOrder, transfers: ReadonlyArray<OrderTransfer>): FiatOrder =>
  order.quote.direction === "DEPOSIT" && order.state === "COMPLETED"
    ? { ...order, receivedAmount: transfers.reduce((sum, { amount }) => sum + amount, 0n) }
    : order

/**
 * A changed order and its transfers. `paid` is the fiat amount that was paid in or out, as reported by the provider.
 * Null if the provider reported none.
 */
export interface OrderChange {
  readonly order: FiatOrder
  readonly transfers: ReadonlyArray<OrderTransfer>
  readonly paid: bigint | null
}

export const withoutTransfers = (order: FiatOrder): OrderChange => ({ order, transfers: [], paid: null })

/** Returns the execution step for a changed order. `also` stores the order. */
export const changeStep = (
  work: Work,
  { order, paid, transfers }: OrderChange,
  now: DateTime.Utc,
  also: Effect.Effect<void>
): Step => {
  const isOpenEnded = isOver(order.state)
  const change = (before: Transaction): Transaction =>
    withEnd(withTransfers(before, order.quote, work.execution.at, transfers), order, paid, now)
  const afterMs = isOpenEnded ? lateWaitMs(order, now) : waitMs(work, now)
  // The order is not checked again. Only the blocks of its transfers, if there are any, must become final.
  if (afterMs === null) return { _tag: "Next", to: FINALITY, change, also }
  // Moving to the payout stage ends the reservation of the allowance while the ended order waits for a late payment.
  return isOpenEnded && work.stage.name === FIAT_SUBMISSION
    ? { _tag: "Next", to: FIAT_PAYOUT, change, afterMs, isOpenEnded, also }
    : { _tag: "Stay", state: work.stage.state, change, afterMs, isOpenEnded, also }
}
