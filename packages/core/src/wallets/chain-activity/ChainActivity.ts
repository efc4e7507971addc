import { Context, type Effect, type Option } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { BlockGone, BlockMark, BlockRange, RangeRefused } from "../../trading/pools/index.ts"
import type { Evidence, Touch } from "./Activity.ts"

/**
 * How native token transfers are detected: not at all; in every block of the range, each of which is read; or where the
 * accounts' balances changed, which needs nodes with the state of past blocks. The last method misses native tokens
 * that came and left between two operations of an account without a difference.
 */
export type CoinSearch = "NONE" | "EVERY_BLOCK" | "CHANGED_BALANCES"

export interface ActivityRequest {
  readonly range: BlockRange
  /** Only touches of these accounts; null for those of every account. */
  readonly among: ReadonlyArray<Address> | null
  readonly coin: CoinSearch
  /** The block before the range, which must still be in the chain; null if it is not checked. */
  readonly anchor: BlockMark | null
}

export interface BlocksRead {
  /** The blocks of the range if every block was read; else only the last one. */
  readonly marks: ReadonlyArray<BlockMark>
  readonly touches: ReadonlyArray<Touch>
  /** Whether the node reported native token transfers by calls inside transactions. */
  readonly seesInternalCoin: boolean
}

export type ReadError = UpstreamUnavailable | RangeRefused | BlockGone

/** Reads the on-chain activity of accounts. */
export class ChainActivity extends Context.Service<
  ChainActivity,
  {
    readonly head: (chainId: EvmChainId) => Effect.Effect<BlockMark, UpstreamUnavailable>
    /** The blocks at these numbers; null for numbers above the head. */
    readonly marks: (
      chainId: EvmChainId,
      numbers: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<BlockMark | null>, UpstreamUnavailable>
    readonly between: (chainId: EvmChainId, request: ActivityRequest) => Effect.Effect<BlocksRead, ReadError>
    /** None while nodes do not agree on the transaction, or no block includes it. */
    readonly evidence: (
      chainId: EvmChainId,
      transactionHash: Hash32
    ) => Effect.Effect<Option.Option<Evidence>, UpstreamUnavailable>
  }
>()("@countersign/core/chain-activity/ChainActivity") {}
