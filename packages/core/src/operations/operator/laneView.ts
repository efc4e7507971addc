import type { GasFees } from "./OperatorTransaction.ts"

/** A chain as a lane's keeper sees it in one look. */
export interface ChainView {
  /** Number of the latest block. */
  readonly head: number
  /** How many transactions of the operator the chain has at that block: the first nonce that is free. */
  readonly count: number
  /** The same with what waits in the node's pool. Nodes stop counting at a gap, and some count the chain alone. */
  readonly pendingCount: number
  /** The count two blocks below the head; null where the node did not say. */
  readonly settledCount: number | null
  /** Whether the chain goes on from the block that was the head in the last look: nothing was taken back since. */
  readonly goesOn: boolean
  /** Base fee of the next block, in wei for each unit of gas. */
  readonly baseFeePerGas: bigint
  readonly suggested: GasFees
  /** How many milliseconds it is since the epoch. */
  readonly nowMs: number
}

/** The node's report on a transaction: on any version of it that is in a block, else of the last one. */
export type Sighting =
  | { readonly _tag: "Unknown" }
  | { readonly _tag: "Pooled" }
  | { readonly _tag: "InBlock"; readonly block: number; readonly success: boolean }

/** By nonce; nothing of what was not asked about. */
export type Sightings = ReadonlyMap<number, Sighting>
