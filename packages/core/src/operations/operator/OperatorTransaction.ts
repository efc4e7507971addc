import type { DateTime } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address, Hash32, HexBytes } from "../../foundation/primitives/index.ts"

/** One operator key on one chain: its transactions have one row of nonces, and one sender at a time. */
export interface Lane {
  readonly chainId: EvmChainId
  readonly operator: Address
}

/**
 * SENT: on its way, in no block. MINED, REVERTED: in a block, where its call went through or not. LOST: its nonce was used
 * by something else.
 */
export type OperatorTransactionState = "SENT" | "MINED" | "REVERTED" | "LOST"

/** The gas price that is offered, in wei for each unit. */
export interface GasFees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** A transaction of an operator key. It is stored before any node sees it, so that its nonce is never forgotten. */
export interface OperatorTransaction extends Lane, GasFees {
  readonly nonce: number
  /** Hash of the version that was sent last. */
  readonly hash: Hash32
  /** That version, signed. */
  readonly raw: HexBytes
  /** Versions with the same nonce and lower fees: any of them may still come into a block. */
  readonly replaced: ReadonlyArray<Hash32>
  /** The user operations that it carries; none where it only fills a nonce. */
  readonly operations: ReadonlyArray<Hash32>
  readonly state: OperatorTransactionState
  /** The block that it is in; otherwise the latest block when this version was sent, or given up for lost. */
  readonly block: number
  /** When this version was sent. */
  readonly sentAt: DateTime.Utc
}

/** Whether it is in a block, or can still come into one. */
export const isLive = ({ state }: Pick<OperatorTransaction, "state">): boolean => state === "SENT" || state === "MINED"
