import { assert, describe, it } from "@effect/vitest"
import { aWatchProgress } from "./Activity.fixture.ts"
import { lagOf } from "./lag.ts"

const blockMarkOf = (number: number, at: number) => ({ ...aWatchProgress().last, number, at })

describe("lagOf", () => {
  it("is the time since the head was read, if all blocks are read", () => {
    const progress = aWatchProgress({ last: blockMarkOf(100, 1_000), headNumber: 100, headSeenAt: 1_500_000 })
    assert.deepStrictEqual(lagOf(progress, 1_503_000), { blocks: 0, seconds: 3 })
  })

  it("is the age of the last read block, if blocks are missing", () => {
    const progress = aWatchProgress({ last: blockMarkOf(100, 1_000), headNumber: 400, headSeenAt: 1_500_000 })
    assert.deepStrictEqual(lagOf(progress, 1_500_000), { blocks: 300, seconds: 500 })
  })

  it("is never negative, also if the chain's clock is ahead", () => {
    const progress = aWatchProgress({ last: blockMarkOf(100, 2_000), headNumber: 101, headSeenAt: 1_500_000 })
    assert.deepStrictEqual(lagOf(progress, 1_400_000), { blocks: 1, seconds: 0 })
  })
})
