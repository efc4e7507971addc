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

/** How long to wait for a transaction that a server reported earlier and that no server has now. */
const RUMOUR_MS = 600_000
const isPending = ({ status }: Transaction): boolean => status === "PROCESSING"

/** Handles a detected transaction that no server has: it was replaced, dropped or has not propagated yet. */
export const missingTransactions = Effect.gen(function* () {
  const conflictOf = yield* utxoConflicts
  const store = yield* BitcoinActivityStore
  const unitOfWork = yield* UnitOfWork
  const { changeAll } = yield* paymentEntries
  const { later } = yield* detectedTransferChecks

  /** Ends all pending entries. */
  const end = (storedTransfer: StoredBitcoinTransfer, code: "DROPPED" | "REPLACED", message: string) =>
    unitOfWork.run(
      Effect.andThen(
        store.forget(storedTransfer),
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
    if (spends === null) return yield* waitedMs > RUMOUR_MS ? store.forget(storedTransfer) : later(storedTransfer)
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
          "No block contains the transaction, and nodes have dropped it from their mempools."
        )
      : report(storedTransfer, "DROPPED")
  })
})
