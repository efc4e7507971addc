import { Hash32 } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { agreedBlock } from "./agreedBlock.ts"

const A = Hash32.make(`0x${"aa".repeat(32)}`)
const B = Hash32.make(`0x${"bb".repeat(32)}`)
const view = (hash: Hash32 | null, headNumber = 10n) => ({ hash, headNumber })

describe("agreedBlock", () => {
  it("requires the configured number of nodes, and uses the lowest of their heads", () => {
    assert.deepStrictEqual(agreedBlock([view(A)], 5n, 1), view(A))
    assert.deepStrictEqual(agreedBlock([view(A, 12n), view(A, 11n)], 5n, 2), view(A, 11n))
    assert.deepStrictEqual(agreedBlock([view(B), view(A, 12n), view(A, 11n)], 5n, 2), view(A, 11n))
  })

  it("is unknown while nodes contradict each other, or too few nodes respond", () => {
    assert.isNull(agreedBlock([], 5n, 1).hash)
    assert.isNull(agreedBlock([view(A)], 5n, 2).hash)
    assert.isNull(agreedBlock([view(A), view(null)], 5n, 2).hash)
    assert.isNull(agreedBlock([view(A), view(B)], 5n, 1).hash)
    assert.isNull(agreedBlock([view(A), view(B), view(A), view(B)], 5n, 2).hash)
  })

  it("is missing if enough nodes are beyond its number and none of them has it", () => {
    const isMissing = (heads: ReadonlyArray<bigint>, required: number, hash: Hash32 | null = null) =>
      agreedBlock([...heads.map((head) => view(null, head)), ...(hash === null ? [] : [view(hash)])], 5n, required)
        .isMissing
    assert.isTrue(isMissing([6n, 7n], 2))
    assert.isFalse(isMissing([6n], 2))
    assert.isFalse(isMissing([6n, 5n], 2))
    assert.isFalse(isMissing([6n, 7n], 2, A))
    assert.isFalse(isMissing([], 1))
  })
})
