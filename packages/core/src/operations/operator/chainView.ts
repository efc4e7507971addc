import type { GasFees } from "./OperatorTransaction.ts"

/** The state of a chain in one check of an operator account. */
export interface ChainView {
  /** The latest block number. */
  readonly head: number
  /** The operator's transaction count at that block: the next nonce. */
  readonly count: number
  /** The count including the node's mempool. Nodes stop counting at a gap, and some count the chain only. */
  readonly pendingCount: number
  /** The count two blocks below the head; null if the node did not return it. */
  readonly settledCount: number | null
  /** Whether the chain still contains the head of the last check: no reorg has happened since. */
  readonly goesOn: boolean
  /** Base fee of the next block, in wei per unit of gas. */
  readonly baseFeePerGas: bigint
  readonly suggested: GasFees
  /** The current time in epoch milliseconds. */
  readonly nowMs: number
}

/** The node's report on a transaction: on any included version of it, else on the last one. */
export type NodeReport =
  | { readonly _tag: "Unknown" }
  | { readonly _tag: "Pooled" }
  | { readonly _tag: "InBlock"; readonly block: number; readonly success: boolean }

/** By nonce; only the queried ones. */
export type NodeReports = ReadonlyMap<number, NodeReport>
