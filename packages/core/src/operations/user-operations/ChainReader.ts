import { Context, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { ByToken } from "../../foundation/tokens/index.ts"

export interface AccountState {
  /** The block of the balances. */
  readonly blockNumber: bigint
  /** The timestamp of that block, in Unix seconds. */
  readonly blockTimestamp: number
  readonly baseFeePerGas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly hasCode: boolean
  /** The contract to which the address's EIP-7702 designator points. Null if the address has none. */
  readonly delegate: Address | null
  /** The address's transaction count, which is the nonce of an EIP-7702 authorization. */
  readonly transactionCount: bigint
  /** The balance of each requested token in base units. `NATIVE_TOKEN` can be requested as well. */
  readonly balances: ByToken<bigint>
  /** The requested allowances, in the order of the request. */
  readonly allowances: ReadonlyArray<bigint>
  /** The requested nonces that operations up to this block have used. */
  readonly usedNonces: ReadonlySet<bigint>
}

/** The latest block of a chain. */
export interface ChainHead {
  readonly number: bigint
  /** Unix seconds. */
  readonly timestamp: number
}

/** The head of a chain, and the hash of the block with the requested number. */
export interface BlockAt {
  readonly headNumber: bigint
  /**
   * Null if the number is above the head, or if the node no longer has the block. From `agreedBlockAt`, also null if
   * the nodes do not agree.
   */
  readonly hash: Hash32 | null
  /** Whether several nodes agree that the block does not exist. Only set if several nodes were queried. */
  readonly isMissing?: boolean
}

export interface AccountStateRequest {
  readonly address: Address
  readonly tokens: ReadonlyArray<Address>
  /** Allowances for the tokens of the account, or of `owner` if it is set. */
  readonly allowances: ReadonlyArray<{ readonly token: Address; readonly spender: Address; readonly owner?: Address }>
  /** ERC-4337 nonces of the account, at an EntryPoint. */
  readonly nonces?: { readonly entryPoint: Address; readonly of: ReadonlyArray<bigint> }
}

/** Reads a chain's latest state. */
export class ChainReader extends Context.Service<
  ChainReader,
  {
    /** Reads the state of an account that the preparation of an operation needs, in one round trip. */
    readonly readAccountState: (
      chainId: EvmChainId,
      request: AccountStateRequest
    ) => Effect.Effect<AccountState, UpstreamUnavailable>
    /**
     * Returns the head. It may be slightly outdated, because all callers within a tenth of the block time share one
     * request.
     */
    readonly readHead: (chainId: EvmChainId) => Effect.Effect<ChainHead, UpstreamUnavailable>
    /**
     * Returns the block with this number. The head may be slightly outdated, as in `readHead`. A block is requested
     * only once per head.
     */
    readonly blockAt: (chainId: EvmChainId, blockNumber: bigint) => Effect.Effect<BlockAt, UpstreamUnavailable>
    /**
     * Returns the block with this number on which at least two nodes agree, or one if the chain has only one. Unlike
     * `blockAt`, requests it each time. `hash` is null if the nodes do not agree or do not have the block.
     */
    readonly agreedBlockAt: (chainId: EvmChainId, blockNumber: bigint) => Effect.Effect<BlockAt, UpstreamUnavailable>
  }
>()("@countersign/core/user-operations/ChainReader") {}
