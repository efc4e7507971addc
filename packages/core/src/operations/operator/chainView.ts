import type { GasFees } from "./OperatorTransaction.ts"

/** The state of a chain when an operator account is checked. */
export interface ChainView {
  /** The latest block number. */
  readonly head: number
  /** The operator's transaction count at the latest block, which is the next nonce. */
  readonly count: number
  /**
   * The transaction count including the node's mempool. Nodes stop counting at a nonce gap, and some nodes ignore the
   * mempool.
   */
  readonly pendingCount: number
  /** The transaction count `SETTLED_BLOCKS` below the head. Null if it was not requested, or not returned. */
  readonly settledCount: number | null
  /** Whether the chain still contains the head of the last check, so that no reorg has happened since. */
  readonly goesOn: boolean
  /** Base fee of the next block, in wei per unit of gas. */
  readonly baseFeePerGas: bigint
  readonly suggested: GasFees
  /** The current time in epoch milliseconds. */
  readonly nowMs: number
}

/** The node's report on a transaction: on the included version, or on the latest version if none is included. */
export type NodeReport =
  | { readonly _tag: "Unknown" }
  | { readonly _tag: "Pooled" }
  | { readonly _tag: "InBlock"; readonly block: number; readonly success: boolean }

/** The reports, keyed by nonce. Only queried nonces have a report. */
export type NodeReports = ReadonlyMap<number, NodeReport>
