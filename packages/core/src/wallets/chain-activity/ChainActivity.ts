import { Context, type Effect, type Option } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { BlockGone, BlockMark, BlockRange, RangeRefused } from "../../trading/pools/index.ts"
import type { Evidence, Touch } from "./Activity.ts"

/**
 * How native token transfers are detected.
 *
 * NONE: not at all. EVERY_BLOCK: each block of the range is read. CHANGED_BALANCES: only blocks in which the accounts'
 * balances changed are read. This requires nodes with the state of past blocks. It misses native tokens that arrived
 * and left between two operations of an account, if the balance stayed the same.
 */
export type NativeTokenSearch = "NONE" | "EVERY_BLOCK" | "CHANGED_BALANCES"

/** Which logs are read. LISTED: only those of listed tokens and EntryPoints. */
export type LogSearch = "ALL" | "LISTED"

export interface ActivityRequest {
  readonly range: BlockRange
  /** Returns only touches of these accounts. Null for all accounts. */
  readonly among: ReadonlyArray<Address> | null
  readonly nativeToken: NativeTokenSearch
  readonly logs: LogSearch
  /** The block before the range, which the chain must still contain. Null if this is not checked. */
  readonly anchor: BlockMark | null
}

export interface BlockRangeActivity {
  /** All blocks of the range if every block was read. Otherwise only the last one. */
  readonly marks: ReadonlyArray<BlockMark>
  readonly touches: ReadonlyArray<Touch>
  /** Whether the node reports native token transfers by calls inside transactions. */
  readonly seesInternalNativeToken: boolean
}

export type ReadError = UpstreamUnavailable | RangeRefused | BlockGone

/** Reads the on-chain activity of accounts. */
export class ChainActivity extends Context.Service<
  ChainActivity,
  {
    readonly readHead: (chainId: EvmChainId) => Effect.Effect<BlockMark, UpstreamUnavailable>
    /** Returns the blocks with these numbers. Null for a number above the head. */
    readonly readBlockMarks: (
      chainId: EvmChainId,
      numbers: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<BlockMark | null>, UpstreamUnavailable>
    readonly readRange: (chainId: EvmChainId, request: ActivityRequest) => Effect.Effect<BlockRangeActivity, ReadError>
    /**
     * Returns the data of a transaction. `None` if nodes do not agree on it, or if no block includes it. TOO_LARGE if it
     * has more logs than the service reads.
     */
    readonly readEvidence: (
      chainId: EvmChainId,
      transactionHash: Hash32
    ) => Effect.Effect<Option.Option<Evidence | "TOO_LARGE">, UpstreamUnavailable>
  }
>()("@countersign/core/chain-activity/ChainActivity") {}
