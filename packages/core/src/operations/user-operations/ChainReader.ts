import { Context, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { ByToken } from "../../foundation/tokens/index.ts"

export interface AccountState {
  /** The block that the balances are of. */
  readonly blockNumber: bigint
  /** Unix seconds of that block. */
  readonly blockTimestamp: number
  readonly baseFeePerGas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly hasCode: boolean
  /** The contract that an EIP-7702 designator at the address points to. */
  readonly delegate: Address | null
  /** The address's own transaction count: the nonce of an EIP-7702 authorization. */
  readonly transactionCount: bigint
  /** Base units for each token asked for, `NATIVE_COIN` included when asked. */
  readonly balances: ByToken<bigint>
  /** Each spender's allowance of the requested token, in the order of the request. */
  readonly allowances: ReadonlyArray<bigint>
  /** The requested nonces that an operation in that block, or in an earlier one, has used. */
  readonly usedNonces: ReadonlySet<bigint>
}

/** The latest block of a chain. */
export interface ChainHead {
  readonly number: bigint
  /** Unix seconds. */
  readonly timestamp: number
}

/** Where a chain is, and which block it has at a number. */
export interface BlockAt {
  readonly headNumber: bigint
  /** Null where the chain, or the node, is not there yet; and where the node has lost the block. */
  readonly hash: Hash32 | null
  /** Where nodes were asked for what they agree on: whether they agree that they have no block there. */
  readonly isMissing?: boolean
}

export interface AccountStateRequest {
  readonly address: Address
  readonly tokens: ReadonlyArray<Address>
  /** For tokens of the account, or of another owner where one is named. */
  readonly allowances: ReadonlyArray<{ readonly token: Address; readonly spender: Address; readonly owner?: Address }>
  /** ERC-4337 nonces of the account, at an EntryPoint. */
  readonly nonces?: { readonly entryPoint: Address; readonly of: ReadonlyArray<bigint> }
}

/** Reads of a chain's latest state. */
export class ChainReader extends Context.Service<
  ChainReader,
  {
    /** Everything that preparing an operation needs to know of its sender, in one round trip. */
    readonly accountState: (
      chainId: EvmChainId,
      request: AccountStateRequest
    ) => Effect.Effect<AccountState, UpstreamUnavailable>
    /** May be a moment old: all who ask within a tenth of a block's time share one request. */
    readonly head: (chainId: EvmChainId) => Effect.Effect<ChainHead, UpstreamUnavailable>
    /** The same holds for its head; a block is asked for once for each head. */
    readonly blockAt: (chainId: EvmChainId, blockNumber: bigint) => Effect.Effect<BlockAt, UpstreamUnavailable>
    /** The same as of now, as two of the chain's nodes say it where it has two; the hash is null while they do not agree. */
    readonly agreedBlockAt: (chainId: EvmChainId, blockNumber: bigint) => Effect.Effect<BlockAt, UpstreamUnavailable>
  }
>()("@countersign/core/user-operations/ChainReader") {}
