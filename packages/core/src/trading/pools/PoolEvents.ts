import { Context, type Effect, Schema } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { BlockMark } from "./IndexProgress.ts"
import type { PoolEvent } from "./PoolActivity.ts"
import type { PoolAddress } from "./PoolRef.ts"

/** The node rejects the query because its block range is too large. A smaller range may succeed. */
export class RangeRefused extends Schema.TaggedError<RangeRefused>("core/pools/RangeRefused")("RANGE_REFUSED", {
  reason: Schema.String
}) {}

/** The chain no longer contains the anchor block, because of a reorg. */
export class BlockGone extends Schema.TaggedError<BlockGone>("core/pools/BlockGone")("BLOCK_GONE", {
  number: Schema.Int
}) {}

export interface BlockRange {
  /** Both block numbers are inclusive. */
  readonly from: number
  readonly to: number
}

export interface EventsOfRange {
  /** The first and the last block of the range. */
  readonly first: BlockMark
  readonly last: BlockMark
  readonly events: ReadonlyArray<PoolEvent>
}

/** Reads the events of pools from their chains. */
export class PoolEvents extends Context.Service<
  PoolEvents,
  {
    /** Returns the chain's latest block number. */
    readonly readHead: (chainId: EvmChainId) => Effect.Effect<number, UpstreamUnavailable>
    /** Returns all events in a range of blocks. Fails if the chain no longer contains the anchor block. */
    readonly listBetween: (
      pool: PoolAddress,
      range: BlockRange,
      anchor: BlockMark | null
    ) => Effect.Effect<EventsOfRange, UpstreamUnavailable | RangeRefused | BlockGone>
  }
>()("@countersign/core/pools/PoolEvents") {}
