import { Schema } from "effect"
import type { EventType, NewEvent } from "../events/index.ts"
import { HistoryTransaction, type TransactionStatus } from "./HistoryTransaction.ts"

const codec = Schema.fromJsonString(Schema.toCodecJson(HistoryTransaction))
const encode = Schema.encodeSync(codec)

/** The transaction of an event's snapshot. Text that no event carries throws. */
export const transactionOfSnapshot = Schema.decodeSync(codec)

/** Statuses in which a transaction stays, and what is told when it gets there. */
const endings: { readonly [Status in TransactionStatus]?: EventType } = {
  COMPLETED: "transaction.completed",
  PARTIALLY_COMPLETED: "transaction.partially_completed",
  FAILED: "transaction.failed",
  CANCELLED: "transaction.cancelled",
  EXPIRED: "transaction.expired",
  REFUNDED: "transaction.refunded"
}

/** What is told when a transaction's status becomes another, or it comes to be (null). */
export const transactionEventType = (previous: TransactionStatus | null, status: TransactionStatus): EventType => {
  if (previous === null) return "transaction.created"
  // What had ended goes on: the block that it had ended in is gone.
  if (status === "PROCESSING" && endings[previous] !== undefined) return "transaction.reorged"
  return previous === status ? "transaction.updated" : (endings[status] ?? "transaction.updated")
}

/** The event of a transaction that had another status before, or was not there (null). */
export const transactionEvent = (
  transaction: HistoryTransaction,
  previousStatus: TransactionStatus | null
): NewEvent => ({
  projectId: transaction.projectId,
  type: transactionEventType(previousStatus, transaction.status),
  resource: { kind: "transaction", id: transaction.id },
  at: transaction.updatedAt,
  previousStatus,
  snapshot: encode(transaction)
})
