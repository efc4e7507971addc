import { Context, type Effect, Schema } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { BlockMark } from "./IndexProgress.ts"
import type { PoolEvent } from "./PoolActivity.ts"
import type { PoolPlace } from "./PoolRef.ts"

/** The node does not answer for so many blocks at once; it may for fewer. */
export class RangeRefused extends Schema.TaggedError<RangeRefused>("core/pools/RangeRefused")("RANGE_REFUSED", {
  reason: Schema.String
}) {}

/** A block that was counted from is not in the chain any more. */
export class BlockGone extends Schema.TaggedError<BlockGone>("core/pools/BlockGone")("BLOCK_GONE", {
  number: Schema.Int
}) {}

export interface BlockRange {
  /** Both ends included. */
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
    /** Number of the chain's latest block. */
    readonly head: (chainId: EvmChainId) => Effect.Effect<number, UpstreamUnavailable>
    /** Everything in a range of blocks, where the anchor is still in the chain. */
    readonly between: (
      pool: PoolPlace,
      range: BlockRange,
      anchor: BlockMark | null
    ) => Effect.Effect<EventsOfRange, UpstreamUnavailable | RangeRefused | BlockGone>
  }
>()("@countersign/core/pools/PoolEvents") {}
