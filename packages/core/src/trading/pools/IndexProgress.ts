import { Schema } from "effect"
import { Hash32 } from "../../foundation/primitives/index.ts"

/** A block: its number, its hash, and its time in Unix seconds. */
export const BlockMark = Schema.Struct({ number: Schema.Int, hash: Hash32, at: Schema.Int })
export type BlockMark = typeof BlockMark.Type

/**
 * The state of a pool's index. It has final counts from `first` to `last`, and recent counts of later blocks, which may
 * still change.
 */
export const IndexProgress = Schema.Struct({
  first: BlockMark,
  last: BlockMark,
  /** Whether no earlier block is relevant: the pool was created at `first`, or `first` is before every range. */
  isWhole: Schema.Boolean,
  /** The last time when all blocks up to the head had been read, in Unix milliseconds; null before the first time. */
  headSeenAt: Schema.NullOr(Schema.Int),
  /** Number of blocks per request, adapted to the node's limit. */
  span: Schema.Int
})
export type IndexProgress = typeof IndexProgress.Type
