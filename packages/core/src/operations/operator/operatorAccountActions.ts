import { DateTime } from "effect"
import { maxBigInt } from "../../foundation/primitives/index.ts"
import type { ChainView, NodeReport, NodeReports } from "./chainView.ts"
import { type GasFees, isLive, type OperatorTransaction } from "./OperatorTransaction.ts"

/** Maximum multiple of the chain's suggested fees. At higher fees, low fees are not the cause of the delay. */
const MAX_FEE_FACTOR = 10n

/**
 * Returns the fee plus one eighth, rounded up. Nodes accept a replacement only if both fees are at least 10 % higher.
 */
const raiseFee = (fee: bigint): bigint => fee + maxBigInt(1n, (fee + 7n) / 8n)

/**
 * Returns the fees of a replacement. Both are at least one eighth higher, and at least the chain's suggested fees. Null
 * if `maxFeePerGas` is already more than `MAX_FEE_FACTOR` times the suggested one.
 */
export const replacementFees = (offer: GasFees, suggestedFees: GasFees): GasFees | null => {
  if (offer.maxFeePerGas > MAX_FEE_FACTOR * suggestedFees.maxFeePerGas) return null
  const maxPriorityFeePerGas = maxBigInt(raiseFee(offer.maxPriorityFeePerGas), suggestedFees.maxPriorityFeePerGas)
  const maxFeePerGas = maxBigInt(raiseFee(offer.maxFeePerGas), suggestedFees.maxFeePerGas)
  return { maxFeePerGas: maxBigInt(maxFeePerGas, maxPriorityFeePerGas), maxPriorityFeePerGas }
}

/**
 * Number of blocks and of milliseconds after which the fees of the lowest pending nonce are increased. Both must have
 * passed.
 */
const STUCK_BLOCKS = 3
const STUCK_MS = 3_000

/**
 * Maximum number of pending nonces per check, lowest nonce first. The others follow when blocks have included lower
 * nonces.
 */
const MAX_PENDING_NONCES = 64

export type OperatorAccountAction =
  /** Stores the new state. */
  | { readonly _tag: "Record"; readonly before: OperatorTransaction; readonly after: OperatorTransaction }
  /** Stores the new state, and broadcasts the same bytes again. */
  | { readonly _tag: "Rebroadcast"; readonly before: OperatorTransaction; readonly after: OperatorTransaction }
  /** Signs the transaction again with these fees. */
  | { readonly _tag: "Replace"; readonly before: OperatorTransaction; readonly fees: GasFees }
  /** Fills a nonce that later transactions wait for, with a transfer of zero from the operator to itself. */
  | {
      readonly _tag: "Fill"
      readonly nonce: number
      readonly before: OperatorTransaction | null
      readonly fees: GasFees
    }
  /** The transaction is final, so it is no longer tracked. */
  | { readonly _tag: "Settle"; readonly before: OperatorTransaction }

const highestLive = (rows: ReadonlyArray<OperatorTransaction>): number =>
  rows.filter(isLive).reduce((highest, { nonce }) => Math.max(highest, nonce), -1)

/**
 * Returns whether the mempool contains a transaction for every nonce up to the account's highest, according to the
 * node's pending count.
 */
const isPoolComplete = (rows: ReadonlyArray<OperatorTransaction>, { pendingCount }: ChainView): boolean =>
  pendingCount > highestLive(rows)

/**
 * Returns whether `settledCount` is needed: a used nonce has no known transaction, or a nonce with a recorded use is
 * unused.
 */
export const needsSettledCount = (rows: ReadonlyArray<OperatorTransaction>, view: ChainView): boolean =>
  transactionsToQuery(rows, view).some(({ nonce }) => nonce < view.count) ||
  rows.some((row) => row.nonce >= view.count && !isLive(row))

/** Returns the transactions that must be queried before the actions can be determined. */
export const transactionsToQuery = (
  rows: ReadonlyArray<OperatorTransaction>,
  view: ChainView
): ReadonlyArray<OperatorTransaction> => {
  const usedRows = rows.filter(({ nonce, state }) => nonce < view.count && (state === "SENT" || !view.goesOn))
  const pendingRows = isPoolComplete(rows, view) ? [] : rows.filter((row) => row.nonce >= view.count && isLive(row))
  return [...usedRows, ...pendingRows.slice(0, MAX_PENDING_NONCES)]
}

const resetToSent = (row: OperatorTransaction, { head }: ChainView): OperatorTransaction => ({
  ...row,
  state: "SENT",
  block: head
})

const rowInBlock = (
  row: OperatorTransaction,
  nodeReport: NodeReport & { readonly _tag: "InBlock" }
): OperatorTransaction => {
  const { block, success } = nodeReport
  return { ...row, state: success ? "MINED" : "REVERTED", block }
}

const recordActions = (
  before: OperatorTransaction,
  after: OperatorTransaction
): ReadonlyArray<OperatorAccountAction> =>
  before.state === after.state && before.block === after.block ? [] : [{ _tag: "Record", before, after }]

const settleActions = (
  row: OperatorTransaction,
  { head }: ChainView,
  settledDepth: number
): ReadonlyArray<OperatorAccountAction> =>
  row.state !== "SENT" && head - row.block >= settledDepth ? [{ _tag: "Settle", before: row }] : []

/** Returns the actions for a transaction whose nonce was used. */
const actionsForUsedNonce = (
  row: OperatorTransaction,
  view: ChainView,
  nodeReport: NodeReport | undefined,
  settledDepth: number
): ReadonlyArray<OperatorAccountAction> => {
  if (nodeReport?._tag === "InBlock") {
    const recordedChanges = recordActions(row, rowInBlock(row, nodeReport))
    return recordedChanges.length > 0 ? recordedChanges : settleActions(row, view, settledDepth)
  }
  if (nodeReport !== undefined && row.state !== "LOST") {
    // The two requests may reach nodes at different heads, so the count may include the nonce while the node does not
    // return the transaction. The count two blocks below the head decides.
    const isUsed = view.settledCount !== null && row.nonce < view.settledCount
    if (isUsed) return recordActions(row, { ...row, state: "LOST", block: view.head })
    return row.state === "SENT" ? [] : recordActions(row, resetToSent(row, view))
  }
  return settleActions(row, view, settledDepth)
}

const isUnderpriced = (row: OperatorTransaction, { baseFeePerGas, head }: ChainView): boolean =>
  row.maxFeePerGas < baseFeePerGas && head > row.block

const isStuck = (row: OperatorTransaction, { count, head, nowMs }: ChainView): boolean =>
  row.nonce === count && head - row.block >= STUCK_BLOCKS && nowMs - DateTime.toEpochMillis(row.sentAt) >= STUCK_MS

/** Returns the actions for a transaction that no block includes. */
const actionsForPending = (
  row: OperatorTransaction,
  view: ChainView,
  nodeReport: NodeReport | undefined
): ReadonlyArray<OperatorAccountAction> => {
  const pendingRow = row.state === "SENT" ? row : resetToSent(row, view)
  const fees =
    isUnderpriced(pendingRow, view) || isStuck(pendingRow, view) ? replacementFees(pendingRow, view.suggested) : null
  if (fees !== null) return [{ _tag: "Replace", before: row, fees }]
  return nodeReport?._tag === "Unknown"
    ? [{ _tag: "Rebroadcast", before: row, after: pendingRow }]
    : recordActions(row, pendingRow)
}

/**
 * Maximum time in milliseconds for which the service waits for a mempool transaction of other software, before it fills
 * the nonce.
 */
const FOREIGN_TRANSACTION_WAIT_MS = 60_000

/** Number of confirmations at which a reorg of one block, or a node that is one block behind, does not matter. */
export const SETTLED_BLOCKS = 2

/**
 * Returns whether a nonce is unused, so that the transaction recorded for it may be overwritten. If the node lacks
 * blocks in which the service has seen transactions, its transaction count is outdated.
 */
const isFree = (
  nonce: number,
  row: OperatorTransaction | null,
  rows: ReadonlyArray<OperatorTransaction>,
  { head, settledCount }: ChainView
): boolean =>
  rows.every(({ block, state }) => state === "SENT" || block <= head) &&
  (row === null || (settledCount !== null && settledCount <= nonce && head - row.block >= SETTLED_BLOCKS))

/**
 * Returns whether to fill a nonce for which the service has no transaction to broadcast. If the mempool contains a
 * transaction with this nonce, other software sent it with the operator's key. The next block may include it, so the
 * service waits before it fills the nonce.
 */
const mustFill = (
  nonce: number,
  rows: ReadonlyArray<OperatorTransaction>,
  { count, nowMs, pendingCount }: ChainView
): boolean => {
  const firstPending = rows.find((row) => row.nonce >= count && isLive(row))
  const waitedMs = firstPending === undefined ? 0 : nowMs - DateTime.toEpochMillis(firstPending.sentAt)
  return nonce >= pendingCount || waitedMs >= FOREIGN_TRANSACTION_WAIT_MS
}

const fillAction = (
  nonce: number,
  row: OperatorTransaction | null,
  { suggested }: ChainView
): OperatorAccountAction => {
  // An earlier transaction with this nonce may be in a mempool again, so the new one must be able to replace it.
  const fees = (row === null ? null : replacementFees(row, suggested)) ?? suggested
  return { _tag: "Fill", nonce, before: row, fees }
}

/**
 * Returns the actions after a check of the chain, lowest nonce first. `rows` are all tracked transactions of an
 * operator account, sorted by nonce. `settledDepth` is the number of blocks after which a transaction is no longer
 * tracked.
 */
export const operatorAccountActions = (
  rows: ReadonlyArray<OperatorTransaction>,
  view: ChainView,
  nodeReports: NodeReports,
  settledDepth: number
): ReadonlyArray<OperatorAccountAction> => {
  const usedActions = rows
    .filter(({ nonce }) => nonce < view.count)
    .flatMap((row) => actionsForUsedNonce(row, view, nodeReports.get(row.nonce), settledDepth))
  const byNonce = new Map(rows.map((row) => [row.nonce, row]))
  const length = Math.min(MAX_PENDING_NONCES, Math.max(0, highestLive(rows) + 1 - view.count))
  const pendingActions = Array.from({ length }, (_, index) => view.count + index).flatMap((nonce) => {
    const row = byNonce.get(nonce) ?? null
    if (row !== null && isLive(row)) return actionsForPending(row, view, nodeReports.get(nonce))
    return isFree(nonce, row, rows, view) && mustFill(nonce, rows, view) ? [fillAction(nonce, row, view)] : []
  })
  return [...usedActions, ...pendingActions]
}

/**
 * Returns the nonce of a new transaction: higher than all pending nonces, and than all nonces on-chain or in the node's
 * mempool.
 */
export const nextNonce = (highestNonce: number | null, pendingCount: number): number =>
  Math.max(highestNonce === null ? 0 : highestNonce + 1, pendingCount)

/** Approximate number of transactions per account that a node keeps in its mempool. */
export const POOLED_MAX = 64

/**
 * Returns whether a node's pending count is plausible, given its latest count. A count that is too high would skip
 * nonces. Each skipped nonce blocks later transactions, and must be filled at the operator's cost.
 */
export const isCredible = (pendingCount: number, latestCount: number): boolean =>
  pendingCount - latestCount <= POOLED_MAX
