import { Context, type Effect } from "effect"
import type { EvmChainId } from "../../chains/index.ts"
import type { UpstreamUnavailable } from "../../errors/index.ts"
import type { BlockRef } from "../../history/index.ts"
import type { Address, Hash32 } from "../../primitives/index.ts"

/** What a transaction of a chain moved of a token, between one account and all others. */
export interface TokenTransfer {
  readonly chainId: EvmChainId
  readonly hash: Hash32
  readonly block: BlockRef
  /** Unix seconds. */
  readonly timestamp: number
  readonly amount: bigint
  readonly counterparty: Address
}

export interface TransferSearch {
  readonly chainId: EvmChainId
  readonly hash: Hash32
  readonly token: Address
  readonly account: Address
  readonly direction: "IN" | "OUT"
}

/** Looks up what a transaction moved, by the word of its chain. */
export class TokenTransfers extends Context.Service<
  TokenTransfers,
  {
    /** Null while no block has the transaction, where it failed, and where it moved nothing of this. */
    readonly find: (search: TransferSearch) => Effect.Effect<TokenTransfer | null, UpstreamUnavailable>
  }
>()("@countersign/core/fiat/TokenTransfers") {}
