import { Schema } from "effect"
import { Hash32 } from "../../foundation/primitives/index.ts"

/** A block by its number and hash, and its time in Unix seconds. */
export const BlockMark = Schema.Struct({ number: Schema.Int, hash: Hash32, at: Schema.Int })
export type BlockMark = typeof BlockMark.Type

/**
 * The state of a pool's index: final counts from `first` to `last`, and recent counts of later blocks, which may still
 * change.
 */
export const IndexProgress = Schema.Struct({
  first: BlockMark,
  last: BlockMark,
  /** Whether nothing before `first` is relevant: the pool was created there, or it is earlier than any range. */
  isWhole: Schema.Boolean,
  /** When all blocks up to the head were last read, in Unix milliseconds; null before the first time. */
  headSeenAt: Schema.NullOr(Schema.Int),
  /** Blocks per request, adapted to the node's limit. */
  span: Schema.Int
})
export type IndexProgress = typeof IndexProgress.Type
