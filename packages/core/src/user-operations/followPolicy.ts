import { DateTime } from "effect"
import { type ChainId, chainOf } from "../chains/index.ts"
import type { HistoryTransaction } from "../history/index.ts"
import { isNativeCoin } from "../primitives/index.ts"
import type { OperationOutcome } from "./Bundler.ts"

/** No look at an operation comes sooner after the last than this. */
const SHORTEST_WAIT_MS = 25
const LONGEST_WAIT_MS = 2_000

/**
 * Wait until the next look at an operation that is in no block yet: half of the time it has been on its way, because
 * what comes soon should be seen soon, and no longer than a quarter of the chain's block time.
 */
export const pollDelayMs = (chainId: ChainId, onItsWayMs: number): number => {
  const longest = Math.min(LONGEST_WAIT_MS, Math.floor(chainOf(chainId).blockTimeMs / 4))
  return Math.max(SHORTEST_WAIT_MS, Math.min(longest, Math.floor(onItsWayMs / 2)))
}

/** When a submitted operation should be in a block: two blocks from now. */
export const inclusionEstimateMs = (chainId: ChainId): number => 2 * chainOf(chainId).blockTimeMs

/** How long after its deadline an operation waits for a chain that makes no blocks. */
const PATIENCE_HOURS = 1

/** Whether an operation that is in no block by the head of the chain can't come into one any more. */
export const hasEnded = (deadline: DateTime.Utc, now: DateTime.Utc, head: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(head, deadline) ||
  DateTime.isGreaterThan(now, DateTime.add(deadline, { hours: PATIENCE_HOURS }))

export const failedTransaction = (
  transaction: HistoryTransaction,
  failure: { readonly code: string; readonly message: string },
  now: DateTime.Utc
): HistoryTransaction => ({ ...transaction, status: "FAILED", substatus: failure.code, failure, updatedAt: now })

/** The transaction as it stands when the block that it was settled in is gone. */
export const reorgedTransaction = (transaction: HistoryTransaction, now: DateTime.Utc): HistoryTransaction => ({
  ...transaction,
  status: "PROCESSING",
  substatus: "REORGED",
  transactionHash: null,
  executedAt: null,
  failure: null,
  updatedAt: now
})

/** What was really received: the sum of transfers of the token to the receiver, where there are any to be seen. */
const receivedAmount = (transaction: HistoryTransaction, outcome: OperationOutcome): bigint | null => {
  const { received, receivedBy } = transaction
  if (received === null || isNativeCoin(received.token)) return null
  const arrivals = outcome.transfers.filter((move) => move.token === received.token && move.to === receivedBy)
  return arrivals.length === 0 ? null : arrivals.reduce((sum, move) => sum + move.amount, 0n)
}

/** The transaction as the chain settled it. */
export const settledTransaction = (
  transaction: HistoryTransaction,
  outcome: OperationOutcome,
  executedAt: DateTime.Utc,
  now: DateTime.Utc
): HistoryTransaction => {
  const settled = { ...transaction, transactionHash: outcome.transactionHash, executedAt, updatedAt: now }
  if (!outcome.success) {
    return failedTransaction(
      settled,
      { code: "REVERTED", message: outcome.revert?.decoded ?? "The operation reverted without a reason" },
      now
    )
  }
  const amount = receivedAmount(transaction, outcome)
  return {
    ...settled,
    status: "COMPLETED",
    substatus: "INCLUDED",
    received:
      amount === null || transaction.received === null ? transaction.received : { ...transaction.received, amount }
  }
}
