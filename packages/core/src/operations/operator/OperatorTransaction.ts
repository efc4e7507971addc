import type { DateTime } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address, Hash32, HexBytes } from "../../foundation/primitives/index.ts"

/** An operator key on one chain. Its transactions have consecutive nonces, so only one process may send at a time. */
export interface OperatorAccount {
  readonly chainId: EvmChainId
  readonly operator: Address
}

/**
 * SENT: broadcast, but not included. MINED: included, and the call succeeded. REVERTED: included, and the call
 * reverted. LOST: another transaction used the nonce.
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
  /** Hash of the latest version. */
  readonly hash: Hash32
  /** The signed bytes of the latest version. */
  readonly raw: HexBytes
  /** The hashes of earlier versions with the same nonce. Any of them may still be included. */
  readonly replaced: ReadonlyArray<Hash32>
  /** The user operations in the transaction. Empty if the transaction only fills a nonce. */
  readonly operations: ReadonlyArray<Hash32>
  readonly state: OperatorTransactionState
  /**
   * The block that includes the transaction. If none does, the head when this version was sent, when a reorg removed
   * the transaction, or when it was found to be LOST.
   */
  readonly block: number
  /** When this version was sent. */
  readonly sentAt: DateTime.Utc
}

/**
 * Returns whether the transaction is pending, or was included and its call succeeded. The others are not broadcast
 * again after a reorg.
 */
export const isLive = ({ state }: Pick<OperatorTransaction, "state">): boolean => state === "SENT" || state === "MINED"
