import { Context, type Effect, Schema } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { BlockMark } from "./IndexProgress.ts"
import type { PoolEvent } from "./PoolActivity.ts"
import type { PoolPlace } from "./PoolRef.ts"

/** The node rejects a range of this size; a smaller one may succeed. */
export class RangeRefused extends Schema.TaggedError<RangeRefused>("core/pools/RangeRefused")("RANGE_REFUSED", {
  reason: Schema.String
}) {}

/** The anchor block is no longer in the chain. */
export class BlockGone extends Schema.TaggedError<BlockGone>("core/pools/BlockGone")("BLOCK_GONE", {
  number: Schema.Int
}) {}

export interface BlockRange {
  /** Inclusive at both ends. */
  readonly from: number
  readonly to: number
}

export interface EventsOfRange {
  /** The blocks at both ends. */
  readonly first: BlockMark
  readonly last: BlockMark
  readonly events: ReadonlyArray<PoolEvent>
}

/** The events of a pool, read from its chain. */
export class PoolEvents extends Context.Service<
  PoolEvents,
  {
    /** The chain's latest block number. */
    readonly head: (chainId: EvmChainId) => Effect.Effect<number, UpstreamUnavailable>
    /** All events in a range of blocks, if the anchor is still in the chain. */
    readonly between: (
      pool: PoolPlace,
      range: BlockRange,
      anchor: BlockMark | null
    ) => Effect.Effect<EventsOfRange, UpstreamUnavailable | RangeRefused | BlockGone>
  }
>()("@countersign/core/pools/PoolEvents") {}
