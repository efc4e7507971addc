import type { DateTime } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address, Hash32, HexBytes } from "../../foundation/primitives/index.ts"

/** One operator key on one chain: its transactions have consecutive nonces, and one sender at a time. */
export interface OperatorAccount {
  readonly chainId: EvmChainId
  readonly operator: Address
}

/**
 * SENT: broadcast, in no block. MINED, REVERTED: in a block, with a successful or reverted call. LOST: another
 * transaction used its nonce.
 */
export type OperatorTransactionState = "SENT" | "MINED" | "REVERTED" | "LOST"

/** The offered gas price, in wei per unit of gas. */
export interface GasFees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** A transaction of an operator key. It is stored before it is broadcast, so that its nonce is never lost. */
export interface OperatorTransaction extends OperatorAccount, GasFees {
  readonly nonce: number
  /** Hash of the version that was sent last. */
  readonly hash: Hash32
  /** That version, signed. */
  readonly raw: HexBytes
  /** Versions with the same nonce and lower fees: any of them may still be included. */
  readonly replaced: ReadonlyArray<Hash32>
  /** The user operations in it; empty if it only fills a nonce. */
  readonly operations: ReadonlyArray<Hash32>
  readonly state: OperatorTransactionState
  /** Its block; otherwise the latest block when this version was sent or found to be lost. */
  readonly block: number
  /** When this version was sent. */
  readonly sentAt: DateTime.Utc
}

/** Whether it is in a block, or can still be included in one. */
export const isLive = ({ state }: Pick<OperatorTransaction, "state">): boolean => state === "SENT" || state === "MINED"
