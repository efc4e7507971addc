import { assert, describe, it } from "@effect/vitest"
import { at } from "../primitives/ids.fixture.ts"
import { delayForAgeMs, growingWaitMs } from "./growingWait.ts"

describe("growingWaitMs", () => {
  const bounds = { shortestMs: 100, longestMs: 1_000 }

  it("returns a sixteenth of the elapsed time, or another share, within bounds", () => {
    const waits = [0, 1_599, 1_600, 8_007, 16_000, 1e9].map((elapsedMs) => growingWaitMs(elapsedMs, bounds))
    assert.deepStrictEqual(waits, [100, 100, 100, 500, 1_000, 1_000])
    assert.strictEqual(growingWaitMs(801, { ...bounds, share: 1 / 2 }), 400)
  })

  it("returns the minimum if another process's clock is ahead", () => {
    assert.strictEqual(delayForAgeMs(at(5_000), at(0), bounds), 100)
    assert.strictEqual(delayForAgeMs(at(1_000), at(9_000), bounds), 500)
  })
})
