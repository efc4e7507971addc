import { DateTime, Effect } from "effect"
import { HistoryStore, isUnlisted, type Transaction, Transactions } from "../../accounting/history/index.ts"
import { type Address, Entropy } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { WalletStore } from "../registry/index.ts"
import type { StoredTransfer } from "./ActivityStore.ts"
import {
  belongsToPart,
  cancelledDuplicate,
  type DetectedInBlock,
  droppedEntry,
  entryInBlock,
  externalTransferTypes,
  hasMovementsOf,
  newTransaction
} from "./foundTransactions.ts"
import type { HistoryParts } from "./historyParts.ts"
import { isRecent } from "./pastValues.ts"

/** Maximum number of history entries of one on-chain transaction and account. */
const MAX_PARTS = 1_000

const isExternalTransfer = ({ type }: Transaction): boolean =>
  externalTransferTypes.some((externalType) => externalType === type)

/** Reads and writes the history entries of detected transfers in all projects. */
export const detectedHistory = Effect.gen(function* () {
  const history = yield* HistoryStore
  const transactions = yield* Transactions
  const wallets = yield* WalletStore
  const entropy = yield* Entropy

  /** Returns the external transfers in one project's history that have the transaction of a detected transfer. */
  const entriesOf = (projectId: ProjectId, { detectedTransfer: { address, transactionHash } }: StoredTransfer) =>
    history.list({
      projectId,
      walletAddress: address,
      filter: { transactionHash, types: [...externalTransferTypes], includeUnlisted: true },
      after: null,
      take: MAX_PARTS
    })

  /**
   * Returns the history entries of a detected transfer in all projects: external transfers, and the service's own
   * operations.
   */
  const entriesInAll = Effect.fnUntraced(function* ({
    detectedTransfer: { address, chainId, transactionHash }
  }: StoredTransfer) {
    const filter = { transactionHash, includeUnlisted: true }
    const lists = yield* Effect.forEach(yield* wallets.listRegistrations(address), ({ projectId }) =>
      history.list({ projectId, walletAddress: address, filter, after: null, take: MAX_PARTS })
    )
    const isOfChain = ({ legs }: Transaction) =>
      legs.some((leg) => leg.chainId === chainId && leg.hash === transactionHash)
    return lists.flat().filter(isOfChain)
  })

  const detectedEntriesInAll = (storedTransfer: StoredTransfer) =>
    Effect.map(entriesInAll(storedTransfer), (entries) => entries.filter(isExternalTransfer))

  /** Stores a change. Possible spam causes no events. */
  const change = (before: Transaction, after: Transaction) =>
    isUnlisted(after) ? transactions.amend(after) : transactions.change(before, after)

  const insertEntry = Effect.fnUntraced(function* (transaction: Transaction, address: Address) {
    if (isUnlisted(transaction)) return yield* history.insert(transaction)
    yield* transactions.add(transaction)
    const executedAt = transaction.executedAt ?? transaction.updatedAt
    yield* wallets.recordTransaction(transaction.projectId, address, executedAt)
  })

  /** Changes the history of a project to match the parts. */
  const writeParts = Effect.fnUntraced(function* (
    projectId: ProjectId,
    storedTransfer: StoredTransfer,
    { isRecorded, parts }: HistoryParts,
    includedIn: DetectedInBlock
  ) {
    const { address } = storedTransfer.detectedTransfer
    const now = yield* DateTime.now
    const entriesBefore = (yield* entriesOf(projectId, storedTransfer)).filter(
      ({ legs }) => legs[0]?.chainId === includedIn.chainId
    )
    const blockAt = DateTime.makeUnsafe(includedIn.block.at * 1_000)
    const createdAt = isRecent(includedIn.block.at, DateTime.toEpochMillis(now)) ? now : blockAt
    for (const part of parts) {
      const existingEntry = entriesBefore.find(belongsToPart(part))
      if (existingEntry === undefined) {
        const id = yield* entropy.uuid
        const newEntryFields = { id, projectId, walletAddress: address, createdAt }
        yield* insertEntry(newTransaction(newEntryFields, part, includedIn, now), address)
      } else if (existingEntry.legs[0]?.block?.hash !== includedIn.block.hash || !hasMovementsOf(part, existingEntry)) {
        yield* change(existingEntry, entryInBlock(existingEntry, part, includedIn, now))
      }
    }
    const isLost = (transaction: Transaction) =>
      transaction.status === "PROCESSING" && !parts.some((part) => belongsToPart(part)(transaction))
    yield* Effect.forEach(entriesBefore.filter(isLost), (entry) => change(entry, droppedEntry(entry, now)), {
      discard: true
    })
    const isDuplicate = (transaction: Transaction) =>
      transaction.status === "COMPLETED" &&
      isRecorded(transaction) &&
      !parts.some((part) => belongsToPart(part)(transaction))
    yield* Effect.forEach(entriesBefore.filter(isDuplicate), (entry) => change(entry, cancelledDuplicate(entry, now)), {
      discard: true
    })
  })

  return { change, entriesInAll, foundInAll: detectedEntriesInAll, writeParts }
})
