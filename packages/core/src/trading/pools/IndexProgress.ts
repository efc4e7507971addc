import { Schema } from "effect"
import { Hash32 } from "../../foundation/primitives/index.ts"

/** A block by its number and hash, and its time in Unix seconds. */
export const BlockMark = Schema.Struct({ number: Schema.Int, hash: Hash32, at: Schema.Int })
export type BlockMark = typeof BlockMark.Type

/** How far the index of a pool has come: from `first` to `last` for good, and the blocks after that as they were lately. */
export const IndexProgress = Schema.Struct({
  first: BlockMark,
  last: BlockMark,
  /** Nothing before `first` matters: the pool was made in it, or it is longer ago than any range. */
  isWhole: Schema.Boolean,
  /** When all blocks up to the chain's head were last looked at, in Unix milliseconds; null before the first time. */
  headSeenAt: Schema.NullOr(Schema.Int),
  /** Blocks that are asked for at once: as many as the node answers for. */
  span: Schema.Int
})
export type IndexProgress = typeof IndexProgress.Type
