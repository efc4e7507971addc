import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { measureWait, totalWaitMs, type Wait, Waits } from "./index.ts"

const wait = (start: number, end: number): Wait => ({ on: "node", start, end })

describe("waitedMs", () => {
  it("counts overlapping waits once, in any order", () => {
    assert.strictEqual(totalWaitMs([]), 0)
    assert.strictEqual(totalWaitMs([wait(20, 30), wait(0, 10)]), 20)
    assert.strictEqual(totalWaitMs([wait(5, 25), wait(0, 10), wait(6, 7)]), 25)
  })
})

describe("waitingOn", () => {
  it.effect("records a failed wait too, and nothing without a list of waits", () =>
    Effect.gen(function* () {
      const waits: Array<Wait> = []
      const bothWaits = Effect.all([
        measureWait("node", Effect.void),
        Effect.flip(measureWait("database", Effect.fail("down")))
      ])
      yield* bothWaits
      assert.deepStrictEqual(waits, [])
      yield* Effect.provideService(bothWaits, Waits, waits)
      assert.deepStrictEqual(
        waits.map(({ on }) => on),
        ["node", "database"]
      )
    })
  )
})
