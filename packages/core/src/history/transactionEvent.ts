import { eventKind, type NewEvent } from "../events/index.ts"
import { endings, Transaction, type TransactionStatus } from "./Transaction.ts"

/** The events of transactions. */
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

/** The event type for a change of the status, or for a new transaction (null). */
export const transactionEventType = (
  previous: TransactionStatus | null,
  status: TransactionStatus
): TransactionEventType => {
  if (previous === null) return "transaction.created"
  // A transaction that had ended continues: the block in which it ended is gone.
  if (endings.has(previous) && !endings.has(status)) return "transaction.reorged"
  return previous === status ? "transaction.updated" : (endingTypes[status] ?? "transaction.updated")
}

/** The event of a transaction that had another status before, or was not there (null). */
export const transactionEvent = (transaction: Transaction, previousStatus: TransactionStatus | null): NewEvent =>
  transactionEvents.eventOf({
    projectId: transaction.projectId,
    type: transactionEventType(previousStatus, transaction.status),
    id: transaction.id,
    at: transaction.updatedAt,
    previousStatus,
    resource: transaction
  })
