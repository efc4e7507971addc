import { type Hash32, lesser } from "@countersign/core/foundation/primitives"
import type { BlockAt } from "@countersign/core/operations/user-operations"

const least = (views: ReadonlyArray<BlockAt>): bigint =>
  views.reduce((least, { headNumber }) => lesser(headNumber, least), views[0]?.headNumber ?? 0n)

/**
 * The block on which the required number of nodes agree at a number, more than on any other. Its hash is null if there
 * is none; the head is the lowest of the agreeing nodes. It is missing if the required number of nodes are past the
 * number, and none has a block there.
 */
export const agreedBlock = (views: ReadonlyArray<BlockAt>, number: bigint, required: number): BlockAt => {
  const viewsWithHash = views.filter((view): view is BlockAt & { readonly hash: Hash32 } => view.hash !== null)
  const [most = [], next = []] = [...Map.groupBy(viewsWithHash, ({ hash }) => hash).values()].sort(
    (a, b) => b.length - a.length
  )
  const isAgreed = most.length >= required && most.length > next.length
  if (isAgreed) return { headNumber: least(most), hash: most[0]!.hash }
  const isMissing =
    viewsWithHash.length === 0 && views.length >= required && views.every(({ headNumber }) => headNumber > number)
  return { headNumber: least(views), hash: null, isMissing }
}
