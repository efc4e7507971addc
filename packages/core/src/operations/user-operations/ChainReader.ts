import { Context, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { ByToken } from "../../foundation/tokens/index.ts"

export interface AccountState {
  /** The block of the balances. */
  readonly blockNumber: bigint
  /** Unix seconds of that block. */
  readonly blockTimestamp: number
  readonly baseFeePerGas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly hasCode: boolean
  /** The contract that the address's EIP-7702 designator points to. */
  readonly delegate: Address | null
  /** The address's own transaction count: the nonce of an EIP-7702 authorization. */
  readonly transactionCount: bigint
  /** Base units of each requested token, which may include `NATIVE_COIN`. */
  readonly balances: ByToken<bigint>
  /** Each requested allowance, in the order of the request. */
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

/** The head of a chain, with its block at a number. */
export interface BlockAt {
  readonly headNumber: bigint
  /** Null if the number is above the chain's or node's head, and if the node has lost the block. */
  readonly hash: Hash32 | null
  /** For queries of several nodes: whether they agree that there is no block. */
  readonly isMissing?: boolean
}

export interface AccountStateRequest {
  readonly address: Address
  readonly tokens: ReadonlyArray<Address>
  /** For tokens of the account, or of another owner if one is given. */
  readonly allowances: ReadonlyArray<{ readonly token: Address; readonly spender: Address; readonly owner?: Address }>
  /** ERC-4337 nonces of the account, at an EntryPoint. */
  readonly nonces?: { readonly entryPoint: Address; readonly of: ReadonlyArray<bigint> }
}

/** Reads a chain's latest state. */
export class ChainReader extends Context.Service<
  ChainReader,
  {
    /** All state of the sender that the preparation of an operation needs, in one round trip. */
    readonly accountState: (
      chainId: EvmChainId,
      request: AccountStateRequest
    ) => Effect.Effect<AccountState, UpstreamUnavailable>
    /** May be a moment old: all callers within a tenth of the block time share one request. */
    readonly head: (chainId: EvmChainId) => Effect.Effect<ChainHead, UpstreamUnavailable>
    /** The same applies to its head; a block is requested once per head. */
    readonly blockAt: (chainId: EvmChainId, blockNumber: bigint) => Effect.Effect<BlockAt, UpstreamUnavailable>
    /**
     * The current state on which two of the chain's nodes agree, if it has two; the hash is null while they do not
     * agree.
     */
    readonly agreedBlockAt: (chainId: EvmChainId, blockNumber: bigint) => Effect.Effect<BlockAt, UpstreamUnavailable>
  }
>()("@countersign/core/user-operations/ChainReader") {}
