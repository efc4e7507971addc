import { type Hash32, lesser } from "@countersign/core/foundation/primitives"
import type { BlockAt } from "@countersign/core/operations/user-operations"

const least = (views: ReadonlyArray<BlockAt>): bigint =>
  views.reduce((least, { headNumber }) => lesser(headNumber, least), views[0]?.headNumber ?? 0n)

/**
 * The block that as many nodes as required have at a number, more than have any other there. Its hash is null without
 * one; the head is that of the node which is the furthest behind of them. It is missing where as many nodes are past the
 * number, and none has a block there.
 */
export const agreedBlock = (views: ReadonlyArray<BlockAt>, number: bigint, required: number): BlockAt => {
  const known = views.filter((view): view is BlockAt & { readonly hash: Hash32 } => view.hash !== null)
  const [most = [], next = []] = [...Map.groupBy(known, ({ hash }) => hash).values()].sort(
    (a, b) => b.length - a.length
  )
  const isAgreed = most.length >= required && most.length > next.length
  if (isAgreed) return { headNumber: least(most), hash: most[0]!.hash }
  const isMissing =
    known.length === 0 && views.length >= required && views.every(({ headNumber }) => headNumber > number)
  return { headNumber: least(views), hash: null, isMissing }
}
