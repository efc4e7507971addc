import { DateTime, Effect } from "effect"
import { HistoryStore, type Transaction, Transactions } from "../../accounting/history/index.ts"
import { Entropy } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { externalTransferTypes, isRecent } from "../../wallets/chain-activity/index.ts"
import { WalletStore } from "../../wallets/registry/index.ts"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"
import type { StoredBitcoinTransfer } from "./DetectedBitcoinTransfer.ts"
import { cancelledDuplicate, type DetectedPaymentState, entryInState, isChanged, newPayment } from "./foundPayments.ts"
import type { AddressMovements } from "./paymentParts.ts"

/** Upper bound for the number of history entries of a transaction for one address of a project. */
const ENTRIES = 10

/** Writes the entries of detected payments in the histories of the projects that registered the address. */
export const paymentEntries = Effect.gen(function* () {
  const store = yield* BitcoinActivityStore
  const history = yield* HistoryStore
  const transactions = yield* Transactions
  const wallets = yield* WalletStore
  const entropy = yield* Entropy

  /** Returns the entries of a detected transaction in the history of a project. */
  const entriesOf = (projectId: ProjectId, { detectedTransfer: { address, txid } }: StoredBitcoinTransfer) =>
    history.list({
      projectId,
      walletAddress: address,
      filter: { transactionHash: txid, types: [...externalTransferTypes], includeUnlisted: true },
      after: null,
      take: ENTRIES
    })

  const entriesInAll = Effect.fnUntraced(function* (storedTransfer: StoredBitcoinTransfer) {
    const projects = yield* store.listProjects(storedTransfer.detectedTransfer.address)
    return (yield* Effect.forEach(projects, (projectId) => entriesOf(projectId, storedTransfer))).flat()
  })

  const change = (before: Transaction, after: Transaction) =>
    isChanged(before, after) ? transactions.change(before, after) : Effect.void

  /** Updates a project's history to the on-chain state. */
  const record = Effect.fnUntraced(function* (
    projectId: ProjectId,
    storedTransfer: StoredBitcoinTransfer,
    addressMovements: AddressMovements,
    state: DetectedPaymentState
  ) {
    const { address, txid } = storedTransfer.detectedTransfer
    const now = yield* DateTime.now
    const [existingEntry] = yield* entriesOf(projectId, storedTransfer)
    if (existingEntry !== undefined) return yield* change(existingEntry, entryInState(existingEntry, state, now))
    const minedAtMs = state.block?.minedAtMs ?? DateTime.toEpochMillis(now)
    const minedAt = DateTime.makeUnsafe(minedAtMs)
    const createdAt = isRecent(minedAtMs / 1_000, DateTime.toEpochMillis(now)) ? now : minedAt
    const newEntry = newPayment(
      { id: yield* entropy.uuid, projectId, walletAddress: address, createdAt },
      addressMovements,
      txid
    )
    yield* transactions.add(entryInState(newEntry, state, now))
    yield* wallets.recordTransaction(projectId, address, minedAt)
  })

  /**
   * Cancels the entries of a detected payment in a project's history, because an operation of the project has recorded
   * the same payment.
   */
  const cancelDuplicates = Effect.fnUntraced(function* (projectId: ProjectId, storedTransfer: StoredBitcoinTransfer) {
    const now = yield* DateTime.now
    for (const entry of yield* entriesOf(projectId, storedTransfer))
      yield* change(entry, cancelledDuplicate(entry, now))
  })

  /** Changes the entries in all projects' histories. Returns the entries as they were before the change. */
  const changeAll = Effect.fnUntraced(function* (
    storedTransfer: StoredBitcoinTransfer,
    changed: (entry: Transaction, now: DateTime.Utc) => Transaction
  ) {
    const now = yield* DateTime.now
    const entries = yield* entriesInAll(storedTransfer)
    for (const entry of entries) yield* change(entry, changed(entry, now))
    return entries
  })

  return { record, withdraw: cancelDuplicates, changeAll }
})
