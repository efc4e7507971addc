import { Schema } from "effect"
import { Hash32 } from "../../foundation/primitives/index.ts"

/** A block: its number, its hash, and its time in Unix seconds. */
export const BlockMark = Schema.Struct({ number: Schema.Int, hash: Hash32, at: Schema.Int })
export type BlockMark = typeof BlockMark.Type

/**
 * The progress of a pool's index. The counts of blocks from `first` to `last` are final. The counts of later, recent
 * blocks may still change.
 */
export const IndexProgress = Schema.Struct({
  first: BlockMark,
  last: BlockMark,
  /**
   * Whether the index reaches back far enough: the pool was created in an indexed block, or `first` is before every
   * statistics range.
   */
  isWhole: Schema.Boolean,
  /**
   * The last time when all blocks up to the head had been read, in Unix milliseconds. Null before the first time, and
   * while the index is far behind.
   */
  headSeenAt: Schema.NullOr(Schema.Int),
  /** Number of blocks per log query, adapted to the node's limit. */
  span: Schema.Int
})
export type IndexProgress = typeof IndexProgress.Type
