import { assert, describe, it } from "@effect/vitest"
import { ExpensiveOperations } from "./ExpensiveOperations.ts"

describe("HeavyOperations", () => {
  it("pauses an operation twice as long each time, for at most five minutes", () => {
    const expensiveOperations = new ExpensiveOperations()
    assert.isNull(expensiveOperations.pauseReason("a", 0))
    let nowMs = 0
    for (const pauseMs of [15_000, 30_000, 60_000, 120_000, 240_000, 300_000, 300_000]) {
      expensiveOperations.add("a", "too many calls", nowMs)
      assert.strictEqual(expensiveOperations.pauseReason("a", nowMs + pauseMs - 1), "too many calls")
      assert.isNull(expensiveOperations.pauseReason("b", nowMs))
      nowMs += pauseMs
      assert.isNull(expensiveOperations.pauseReason("a", nowMs))
      assert.isTrue(expensiveOperations.has("a"))
    }
  })
})
