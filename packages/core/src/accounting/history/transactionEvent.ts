import { DateTime } from "effect"
import { eventKind, type NewEvent } from "../../tenancy/events/index.ts"
import { finalStatuses, Transaction, type TransactionStatus } from "./Transaction.ts"

export const transactionEvents = eventKind(
  "transaction",
  [
    "transaction.created",
    "transaction.updated",
    "transaction.completed",
    "transaction.partially_completed",
    "transaction.failed",
    "transaction.cancelled",
    "transaction.expired",
    "transaction.refunded",
    "transaction.reorged"
  ],
  Transaction
)

type TransactionEventType = (typeof transactionEvents.types)[number]

/** The event type for each final status. */
const endingTypes: { readonly [Status in TransactionStatus]?: TransactionEventType } = {
  COMPLETED: "transaction.completed",
  PARTIALLY_COMPLETED: "transaction.partially_completed",
  FAILED: "transaction.failed",
  CANCELLED: "transaction.cancelled",
  EXPIRED: "transaction.expired",
  REFUNDED: "transaction.refunded"
}

/** Returns the event type for a change of the status. */
export const transactionEventType = (previous: TransactionStatus, status: TransactionStatus): TransactionEventType => {
  // A reorg removed the block in which the transaction ended, so the transaction continues.
  if (finalStatuses.has(previous) && !finalStatuses.has(status)) return "transaction.reorged"
  return previous === status ? "transaction.updated" : (endingTypes[status] ?? "transaction.updated")
}

const eventOf = (
  transaction: Transaction,
  type: TransactionEventType,
  previousStatus: TransactionStatus | null,
  at: DateTime.Utc = transaction.updatedAt
): NewEvent =>
  transactionEvents.eventOf({
    projectId: transaction.projectId,
    type,
    id: transaction.id,
    at,
    previousStatus,
    resource: transaction
  })

/** Returns the event for a change of a transaction whose status was `previous`. */
export const changeEvent = (transaction: Transaction, previous: TransactionStatus): NewEvent =>
  eventOf(transaction, transactionEventType(previous, transaction.status), previous)

/**
 * Returns the events of a new transaction. A transaction that has already ended, such as a detected transfer, also gets
 * its end event, because some subscribers receive only end events. The end event is one millisecond later, because
 * events are sorted by time.
 */
export const arrivalEvents = (transaction: Transaction): readonly [NewEvent, ...Array<NewEvent>] => {
  const endType = endingTypes[transaction.status]
  const createdEvent = eventOf(transaction, "transaction.created", null)
  if (endType === undefined) return [createdEvent]
  return [createdEvent, eventOf(transaction, endType, null, DateTime.add(transaction.updatedAt, { milliseconds: 1 }))]
}
