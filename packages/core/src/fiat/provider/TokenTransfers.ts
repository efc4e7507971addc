import { Context, type Effect } from "effect"
import type { BlockRef } from "../../accounting/history/index.ts"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address, Hash32 } from "../../foundation/primitives/index.ts"

/** A transfer of one token between two accounts. */
export interface TokenTransfer {
  /** The log index in the receipt. */
  readonly index: number
  readonly amount: bigint
  readonly counterparty: Address
}

/** The transfers of one token to or from one account, in one transaction. */
export interface TransfersInTransaction {
  readonly chainId: EvmChainId
  readonly hash: Hash32
  readonly block: BlockRef
  /** Unix seconds. */
  readonly timestamp: number
  /** Sorted by log index. Contains at least one transfer. */
  readonly transfers: ReadonlyArray<TokenTransfer>
}

export interface TransferSearch {
  readonly chainId: EvmChainId
  readonly hash: Hash32
  readonly token: Address
  readonly account: Address
  readonly direction: "IN" | "OUT"
}

/** Reads token transfers from the chain. */
export class TokenTransfers extends Context.Service<
  TokenTransfers,
  {
    /**
     * Returns the transfers. Null if no block includes the transaction yet, if it reverted, or if it contains no such
     * transfer.
     */
    readonly find: (search: TransferSearch) => Effect.Effect<TransfersInTransaction | null, UpstreamUnavailable>
  }
>()("@countersign/core/fiat/TokenTransfers") {}
