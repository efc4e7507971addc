import { type Hash32, minBigInt } from "@countersign/core/foundation/primitives"
import type { BlockAt } from "@countersign/core/operations/user-operations"

const minHead = (views: ReadonlyArray<BlockAt>): bigint =>
  views.reduce((minHead, { headNumber }) => minBigInt(headNumber, minHead), views[0]?.headNumber ?? 0n)

/**
 * Returns the hash of the block at a height if the nodes agree on it: at least the required number of them, and more
 * than on any other block. Otherwise the hash is null, and `isMissing` is true if enough nodes respond, all have a
 * higher head, and none has a block at the height. `headNumber` is the lowest head of the agreeing nodes, or of all
 * nodes if they do not agree.
 */
export const agreedBlock = (views: ReadonlyArray<BlockAt>, number: bigint, required: number): BlockAt => {
  const viewsWithHash = views.filter((view): view is BlockAt & { readonly hash: Hash32 } => view.hash !== null)
  const [largestGroup = [], next = []] = [...Map.groupBy(viewsWithHash, ({ hash }) => hash).values()].sort(
    (a, b) => b.length - a.length
  )
  const isAgreed = largestGroup.length >= required && largestGroup.length > next.length
  if (isAgreed) return { headNumber: minHead(largestGroup), hash: largestGroup[0]!.hash }
  const isMissing =
    viewsWithHash.length === 0 && views.length >= required && views.every(({ headNumber }) => headNumber > number)
  return { headNumber: minHead(views), hash: null, isMissing }
}
