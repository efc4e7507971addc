import { DateTime } from "effect"
import { greater } from "../../foundation/primitives/index.ts"
import type { ChainView, NodeReport, NodeReports } from "./chainView.ts"
import { type GasFees, isLive, type OperatorTransaction } from "./OperatorTransaction.ts"

/** Maximum multiple of the chain's suggested fees: beyond it, something else delays the transaction. */
const CEILING = 10n

/** One eighth more, rounded up, and at least one wei. Nodes require 10 % more for both fees of a replacement. */
const raised = (fee: bigint): bigint => fee + greater(1n, (fee + 7n) / 8n)

/**
 * The fees of a replacement: both one eighth higher, and at least the chain's suggested fees. Null if the offer is
 * already far above these.
 */
export const replacementFees = (offer: GasFees, suggested: GasFees): GasFees | null => {
  if (offer.maxFeePerGas > CEILING * suggested.maxFeePerGas) return null
  const maxPriorityFeePerGas = greater(raised(offer.maxPriorityFeePerGas), suggested.maxPriorityFeePerGas)
  const maxFeePerGas = greater(raised(offer.maxFeePerGas), suggested.maxFeePerGas)
  return { maxFeePerGas: greater(maxFeePerGas, maxPriorityFeePerGas), maxPriorityFeePerGas }
}

/** Blocks, and milliseconds, that the lowest pending nonce may wait before its fees are increased. */
const STUCK_BLOCKS = 3
const STUCK_MS = 3_000

/** Number of pending transactions that one check queries or sends, lowest nonce first; the next check continues. */
const LIMIT = 64

export type OperatorAccountAction =
  /** Store the new state. */
  | { readonly _tag: "Record"; readonly before: OperatorTransaction; readonly after: OperatorTransaction }
  /** The same, and broadcast its bytes again. */
  | { readonly _tag: "Rebroadcast"; readonly before: OperatorTransaction; readonly after: OperatorTransaction }
  /** Sign it again with these fees. */
  | { readonly _tag: "Replace"; readonly before: OperatorTransaction; readonly fees: GasFees }
  /** Use a nonce that later transactions wait for: by a transfer of zero to the operator itself. */
  | {
      readonly _tag: "Fill"
      readonly nonce: number
      readonly before: OperatorTransaction | null
      readonly fees: GasFees
    }
  /** It is final and no longer watched. */
  | { readonly _tag: "Settle"; readonly before: OperatorTransaction }

const highestLive = (rows: ReadonlyArray<OperatorTransaction>): number =>
  rows.filter(isLive).reduce((highest, { nonce }) => Math.max(highest, nonce), -1)

/** Whether the mempool has a transaction at every nonce up to the account's last, by the node's count. */
const isPoolComplete = (rows: ReadonlyArray<OperatorTransaction>, { pendingCount }: ChainView): boolean =>
  pendingCount > highestLive(rows)

/** The transactions to query before anything can be decided. */
export const unclear = (
  rows: ReadonlyArray<OperatorTransaction>,
  view: ChainView
): ReadonlyArray<OperatorTransaction> => {
  const used = rows.filter(({ nonce, state }) => nonce < view.count && (state === "SENT" || !view.goesOn))
  const waiting = isPoolComplete(rows, view) ? [] : rows.filter((row) => row.nonce >= view.count && isLive(row))
  return [...used, ...waiting.slice(0, LIMIT)]
}

const sentAgain = (row: OperatorTransaction, { head }: ChainView): OperatorTransaction => ({
  ...row,
  state: "SENT",
  block: head
})

const inBlock = (
  row: OperatorTransaction,
  nodeReport: NodeReport & { readonly _tag: "InBlock" }
): OperatorTransaction => {
  const { block, success } = nodeReport
  return { ...row, state: success ? "MINED" : "REVERTED", block }
}

const recorded = (before: OperatorTransaction, after: OperatorTransaction): ReadonlyArray<OperatorAccountAction> =>
  before.state === after.state && before.block === after.block ? [] : [{ _tag: "Record", before, after }]

const settled = (
  row: OperatorTransaction,
  { head }: ChainView,
  settledDepth: number
): ReadonlyArray<OperatorAccountAction> =>
  row.state !== "SENT" && head - row.block >= settledDepth ? [{ _tag: "Settle", before: row }] : []

/** Actions for a transaction whose nonce is used. */
const ofUsed = (
  row: OperatorTransaction,
  view: ChainView,
  nodeReport: NodeReport | undefined,
  settledDepth: number
): ReadonlyArray<OperatorAccountAction> => {
  if (nodeReport?._tag === "InBlock") {
    const news = recorded(row, inBlock(row, nodeReport))
    return news.length > 0 ? news : settled(row, view, settledDepth)
  }
  if (nodeReport !== undefined && row.state !== "LOST") {
    // A node that is one block behind or ahead may know the count and not the transaction: two blocks later it knows
    // both.
    const used = view.settledCount !== null && row.nonce < view.settledCount
    if (used) return recorded(row, { ...row, state: "LOST", block: view.head })
    return row.state === "SENT" ? [] : recorded(row, sentAgain(row, view))
  }
  return settled(row, view, settledDepth)
}

const isUnderpriced = (row: OperatorTransaction, { baseFeePerGas, head }: ChainView): boolean =>
  row.maxFeePerGas < baseFeePerGas && head > row.block

const isStuck = (row: OperatorTransaction, { count, head, nowMs }: ChainView): boolean =>
  row.nonce === count && head - row.block >= STUCK_BLOCKS && nowMs - DateTime.toEpochMillis(row.sentAt) >= STUCK_MS

/** Actions for a transaction that is in no block. */
const ofWaiting = (
  row: OperatorTransaction,
  view: ChainView,
  nodeReport: NodeReport | undefined
): ReadonlyArray<OperatorAccountAction> => {
  const waiting = row.state === "SENT" ? row : sentAgain(row, view)
  const fees = isUnderpriced(waiting, view) || isStuck(waiting, view) ? replacementFees(waiting, view.suggested) : null
  if (fees !== null) return [{ _tag: "Replace", before: row, fees }]
  return nodeReport?._tag === "Unknown"
    ? [{ _tag: "Rebroadcast", before: row, after: waiting }]
    : recorded(row, waiting)
}

/** How long a mempool transaction that is not stored here may delay later ones, in milliseconds. */
const STRANGER_MS = 60_000

/**
 * Whether to fill a nonce without a stored transaction. If the mempool has one there, the service waits for a while: it
 * was sent with the operator's key, and the next block may include it.
 */
const isToFill = (
  nonce: number,
  rows: ReadonlyArray<OperatorTransaction>,
  { count, nowMs, pendingCount }: ChainView
): boolean => {
  const oldest = rows.find((row) => row.nonce >= count && isLive(row))
  const waitedMs = oldest === undefined ? 0 : nowMs - DateTime.toEpochMillis(oldest.sentAt)
  return nonce >= pendingCount || waitedMs >= STRANGER_MS
}

const ofGap = (nonce: number, row: OperatorTransaction | null, { suggested }: ChainView): OperatorAccountAction => {
  // The earlier transaction of this nonce may be in a mempool again, where it must be replaced.
  const fees = (row === null ? null : replacementFees(row, suggested)) ?? suggested
  return { _tag: "Fill", nonce, before: row, fees }
}

/**
 * The actions after a check of the chain, lowest nonce first. `rows` are all watched transactions of an operator
 * account, sorted by nonce; `settledDepth` is the number of blocks after which a transaction is no longer watched.
 */
export const operatorAccountActions = (
  rows: ReadonlyArray<OperatorTransaction>,
  view: ChainView,
  nodeReports: NodeReports,
  settledDepth: number
): ReadonlyArray<OperatorAccountAction> => {
  const used = rows
    .filter(({ nonce }) => nonce < view.count)
    .flatMap((row) => ofUsed(row, view, nodeReports.get(row.nonce), settledDepth))
  const byNonce = new Map(rows.map((row) => [row.nonce, row]))
  const length = Math.min(LIMIT, Math.max(0, highestLive(rows) + 1 - view.count))
  const waiting = Array.from({ length }, (_, index) => view.count + index).flatMap((nonce) => {
    const row = byNonce.get(nonce) ?? null
    if (row !== null && isLive(row)) return ofWaiting(row, view, nodeReports.get(nonce))
    return isToFill(nonce, rows, view) ? [ofGap(nonce, row, view)] : []
  })
  return [...used, ...waiting]
}

/** The nonce of a new transaction, after all pending ones and all that the chain or its mempool has. */
export const nextNonce = (highestNonce: number | null, pendingCount: number): number =>
  Math.max(highestNonce === null ? 0 : highestNonce + 1, pendingCount)

/** About the number of transactions per account that nodes keep in their mempool. */
export const POOLED_MAX = 64

/**
 * Whether a node's pending count is plausible for its latest count: each skipped nonce must be filled later, at the
 * operator's cost, and blocks later transactions.
 */
export const isCredible = (pendingCount: number, latestCount: number): boolean =>
  pendingCount - latestCount <= POOLED_MAX
