import { Clock, DateTime, Effect } from "effect"
import type { Transaction } from "../../accounting/history/index.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { MEMPOOL_EXPIRY_MS, utxoConflicts } from "../payments/index.ts"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"
import { confirmationsAt, SETTLED_CONFIRMATIONS } from "./confirmations.ts"
import type { StoredBitcoinTransfer } from "./DetectedBitcoinTransfer.ts"
import { detectedTransferChecks } from "./detectedTransferChecks.ts"
import { droppedEntry, unconfirmedEntry } from "./foundPayments.ts"
import { paymentEntries } from "./paymentEntries.ts"

/**
 * Milliseconds after which a transaction that was never read is no longer tracked. A server has reported it, but no
 * server returns it.
 */
const UNCONFIRMED_GRACE_MS = 600_000
const isPending = ({ status }: Transaction): boolean => status === "PROCESSING"

/** Handles a detected transaction that no server returns: it was replaced, was dropped, or has not propagated yet. */
export const missingTransactions = Effect.gen(function* () {
  const conflictOf = yield* utxoConflicts
  const store = yield* BitcoinActivityStore
  const unitOfWork = yield* UnitOfWork
  const { changeAll } = yield* paymentEntries
  const { later } = yield* detectedTransferChecks

  /** Ends the pending history entries of a transaction. */
  const end = (storedTransfer: StoredBitcoinTransfer, code: "DROPPED" | "REPLACED", message: string) =>
    unitOfWork.run(
      Effect.andThen(
        store.remove(storedTransfer),
        changeAll(storedTransfer, (entry, now) => (isPending(entry) ? droppedEntry(entry, code, message, now) : entry))
      )
    )

  const report = (storedTransfer: StoredBitcoinTransfer, substatus: string) =>
    unitOfWork.run(
      Effect.andThen(
        later(storedTransfer),
        changeAll(storedTransfer, (entry, now) => (isPending(entry) ? unconfirmedEntry(entry, substatus, now) : entry))
      )
    )

  return Effect.fnUntraced(function* (storedTransfer: StoredBitcoinTransfer, height: number) {
    const { seenAt, detectedTransfer, spends } = storedTransfer
    const waitedMs = (yield* Clock.currentTimeMillis) - DateTime.toEpochMillis(seenAt)
    if (detectedTransfer.block !== null) return yield* later(storedTransfer)
    if (spends === null)
      return yield* waitedMs > UNCONFIRMED_GRACE_MS ? store.remove(storedTransfer) : later(storedTransfer)
    const conflict = yield* conflictOf(spends, detectedTransfer.txid)
    if (conflict !== null) {
      const isOver = confirmationsAt(conflict.block, height) >= SETTLED_CONFIRMATIONS
      if (!isOver) return yield* report(storedTransfer, "COINS_TAKEN")
      return yield* end(storedTransfer, "REPLACED", `Another transaction spent the same UTXOs: ${conflict.txid}`)
    }
    return yield* waitedMs > MEMPOOL_EXPIRY_MS
      ? end(
          storedTransfer,
          "DROPPED",
          "No block includes the transaction, and nodes have dropped it from their mempools."
        )
      : report(storedTransfer, "DROPPED")
  })
})
