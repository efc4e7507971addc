import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { at } from "../../../foundation/primitives/ids.fixture.ts"
import { canNoLongerExecute, pollDelayMs, remainingValidityMs } from "./inclusionPolicy.ts"

const HOUR = 3_600_000

/** Counts the checks of an operation within a time. */
const countChecksWithin = (milliseconds: number, isRejected: boolean): number => {
  let polls = 0
  for (let pendingMs = 0; pendingMs < milliseconds; pendingMs += pollDelayMs(1, pendingMs, isRejected)) polls += 1
  return polls
}

describe("pollDelayMs", () => {
  it("is zero at first, then half of the elapsed time, up to a quarter of the block time", () => {
    assert.strictEqual(pollDelayMs(1, 0, false), 25)
    assert.strictEqual(pollDelayMs(1, 1_000, false), 500)
    assert.strictEqual(pollDelayMs(1, 20_000, false), 2_000)
    assert.strictEqual(pollDelayMs(137, 5_000, false), 500)
    assert.strictEqual(pollDelayMs(42161, 700, false), 62)
  })

  it("grows for an operation that is not included, up to an hour", () => {
    assert.strictEqual(pollDelayMs(1, 160_000, false), 10_000)
    assert.strictEqual(pollDelayMs(1, 400 * HOUR, false), HOUR)
    assert.isAtMost(countChecksWithin(300_000, false), 70)
    assert.isAtMost(countChecksWithin(24 * HOUR, false), 170)
  })

  it("is long for a rejected operation", () => {
    assert.strictEqual(pollDelayMs(137, 100, true), 1_000)
    assert.isAtMost(countChecksWithin(300_000, true), 18)
    assert.isAtMost(countChecksWithin(24 * HOUR, true), 50)
  })
})

describe("untilOverMs", () => {
  const nowMs = DateTime.toEpochMillis(at(10_000))

  it("is the time until a block after the deadline may be final", () => {
    assert.strictEqual(remainingValidityMs(at(15_000), 2_000, nowMs), 7_000)
    assert.isNull(remainingValidityMs(at(8_000), 2_000, nowMs))
    assert.isNull(remainingValidityMs(null, 2_000, nowMs))
  })
})

describe("canNoLongerExecute", () => {
  const isOverdueAt = (head: number, now = head) =>
    canNoLongerExecute(at(1_000), { now: at(now), head: at(head), finalityMs: 500 })

  it("is true when the chain's time exceeds the deadline by more than the depth of a reorg", () => {
    assert.isFalse(isOverdueAt(1_500))
    assert.isTrue(isOverdueAt(1_501))
    assert.isFalse(isOverdueAt(1_000, 10_000))
  })

  it("is true after a day if the chain produces no blocks", () => {
    assert.isTrue(isOverdueAt(0, 1_001 + 24 * HOUR))
  })
})
