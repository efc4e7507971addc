import { Schema } from "effect"
import { EvmChainId } from "../../foundation/chains/index.ts"
import { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { TokenTransfer } from "../../operations/user-operations/index.ts"
import { BlockMark } from "../../trading/pools/index.ts"

/** A native token transfer in wei, by a transaction or by a call inside a transaction. */
export const NativeTokenTransfer = Schema.Struct({ from: Address, to: Address, amount: Schema.BigInt })
export type NativeTokenTransfer = typeof NativeTokenTransfer.Type

/** An indication in a block that a transaction may have changed an account's balance. */
export interface Touch {
  readonly account: Address
  readonly transactionHash: Hash32
  readonly blockNumber: number
  readonly blockHash: Hash32
  /** The transferred token. Null for a user operation. */
  readonly token: Address | null
  /** The transfer. Null unless it moves the native token. */
  readonly nativeToken: NativeTokenTransfer | null
}

/**
 * A transaction that may have changed the balance of a registered account. The service verifies the transaction before
 * it adds it to the history.
 */
export const DetectedTransfer = Schema.Struct({
  chainId: EvmChainId,
  transactionHash: Hash32,
  address: Address,
  blockNumber: Schema.Int,
  blockHash: Hash32,
  /** Native token transfers to or from the address. */
  coin: Schema.Array(NativeTokenTransfer)
})
export type DetectedTransfer = typeof DetectedTransfer.Type

/** The progress of a chain's watcher. */
export const WatchProgress = Schema.Struct({
  /** The last block that was read. */
  last: BlockMark,
  /** Several earlier blocks, oldest first. After a reorg, the watcher searches them for the fork point. */
  recent: Schema.Array(BlockMark),
  /** Number of blocks per request: for new blocks, and for the earlier blocks of new wallets. */
  span: Schema.Int,
  backfillSpan: Schema.Int,
  /** The chain's latest block, and the time of the poll in Unix milliseconds. */
  headNumber: Schema.Int,
  headSeenAt: Schema.Int,
  /** Whether the watcher detects native token transfers by calls inside transactions. */
  seesInternalNativeToken: Schema.Boolean
})
export type WatchProgress = typeof WatchProgress.Type

/** A user operation in a transaction, according to the EntryPoint's log. */
export interface IncludedOperation {
  readonly hash: Hash32
  readonly sender: Address
  /** Whether the account itself paid the EntryPoint in the native token. */
  readonly paysInNativeToken: boolean
  readonly actualGasCost: bigint
}

/** The data of a transaction, in a block on which the chain's nodes agree. */
export interface Evidence {
  readonly block: BlockMark
  readonly success: boolean
  readonly from: Address
  /** The transaction fee that `from` paid, in wei. */
  readonly fee: bigint
  /** Token transfers, in log order. */
  readonly transfers: ReadonlyArray<TokenTransfer>
  readonly operations: ReadonlyArray<IncludedOperation>
}
