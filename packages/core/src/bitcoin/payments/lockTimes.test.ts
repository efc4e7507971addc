import { assert, describe, it } from "@effect/vitest"
import { lockTimesOf } from "./lockTimes.ts"

/** Block 900,000 was mined on 6 June 2025. */
const NOW_MS = Date.UTC(2025, 5, 6, 12)

describe("The lock times of a payment", () => {
  it("are the height before the latest block, and the latest height", () => {
    assert.deepStrictEqual(lockTimesOf(900_000, NOW_MS), [899_999, 900_000])
    assert.deepStrictEqual(lockTimesOf(200, NOW_MS), [199, 200])
    assert.deepStrictEqual(lockTimesOf(0, NOW_MS), [0, 0])
  })

  it("are at most two weeks ahead, for any height that a server reports", () => {
    for (const height of [950_000, 499_999_999]) {
      const [, last] = lockTimesOf(height, NOW_MS)
      assert.isAtLeast(last!, 900_000)
      assert.isAtMost(last!, 900_000 + 14 * 144)
    }
  })
})
