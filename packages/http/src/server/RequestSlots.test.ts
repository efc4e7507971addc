import { assert, describe, it } from "@effect/vitest"
import { requestSlots } from "./RequestSlots.ts"

describe("a route without a key", () => {
  it.each([
    [512, 8],
    [64, 2]
  ])("in a process with %i slots, gives one client network at most %i slots", (parallelRequestsMax, maxSlots) => {
    const slots = requestSlots(parallelRequestsMax).keyless("/docs")
    const takenSlots = Array.from({ length: 200 }, () => slots.take("192.0.2.7")).filter(
      (slot) => typeof slot !== "string"
    )
    assert.lengthOf(takenSlots, maxSlots)
    assert.notStrictEqual(typeof slots.take("192.0.2.8"), "string")
  })
})
