import { Schema } from "effect"
import { EvmChainId } from "../../foundation/chains/index.ts"
import { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { TokenTransfer } from "../../operations/user-operations/index.ts"
import { BlockMark } from "../../trading/pools/index.ts"

/** Coin that a transaction moved, by itself or by a call inside it. */
export const CoinTransfer = Schema.Struct({ from: Address, to: Address, amount: Schema.BigInt })
export type CoinTransfer = typeof CoinTransfer.Type

/** A sign in a block that a transaction may have changed what an account holds. */
export interface Touch {
  readonly account: Address
  readonly transactionHash: Hash32
  readonly blockNumber: number
  readonly blockHash: Hash32
  /** The token that was moved; null of a user operation. */
  readonly token: Address | null
  /** The movement, of coin alone. */
  readonly coin: CoinTransfer | null
}

/** A transaction with touches of a registered account: what is to be looked at before it is in the history. */
export const Sighting = Schema.Struct({
  chainId: EvmChainId,
  transactionHash: Hash32,
  address: Address,
  blockNumber: Schema.Int,
  blockHash: Hash32,
  /** Coin that it moved to or from the address. */
  coin: Schema.Array(CoinTransfer)
})
export type Sighting = typeof Sighting.Type

/** How far a chain has been read. */
export const WatchProgress = Schema.Struct({
  /** The last block that was read. */
  last: BlockMark,
  /** Some blocks before it, oldest first, for the place where another chain forks off. */
  recent: Schema.Array(BlockMark),
  /** Blocks that are read at once, now and of the past of new wallets. */
  span: Schema.Int,
  backfillSpan: Schema.Int,
  /** The chain's latest block, and when it was looked at, in Unix milliseconds. */
  headNumber: Schema.Int,
  headSeenAt: Schema.Int,
  /** Whether coin that calls inside transactions move is seen. */
  seesInternalCoin: Schema.Boolean
})
export type WatchProgress = typeof WatchProgress.Type

/** An operation of a user in a transaction, as the EntryPoint tells of it. */
export interface IncludedOperation {
  readonly hash: Hash32
  readonly sender: Address
  /** Whether the account itself paid the EntryPoint. */
  readonly paysInCoin: boolean
  readonly actualGasCost: bigint
}

/** A transaction in a block, as the chain's nodes agree on it. */
export interface Evidence {
  readonly block: BlockMark
  readonly success: boolean
  readonly from: Address
  /** The fee that `from` paid, in wei. */
  readonly fee: bigint
  /** Transfers of tokens, in order. */
  readonly transfers: ReadonlyArray<TokenTransfer>
  readonly operations: ReadonlyArray<IncludedOperation>
}
