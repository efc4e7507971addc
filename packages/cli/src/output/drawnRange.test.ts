import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { drawRange } from "./drawnRange.ts"

const Tick = Schema.Int.check(Schema.isBetween({ minimum: -887_272, maximum: 887_271 }))

describe("drawnRange", () => {
  it.each([
    [0, "········[━━━━━━━━━━━━━━━━●━━━━━━━━━━━━━━━]········"],
    [-320, "········[●━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━]········"],
    [319, "········[━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━●]········"],
    [-321, "·······●[━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━]········"],
    [320, "········[━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━]●·······"],
    [-900, "●·······[━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━]········"],
    [9_000, "········[━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━]·······●"]
  ])("draws the price at tick %i of -320 to 320", (tick, line) => {
    assert.strictEqual(drawRange({ tick, tickLower: -320, tickUpper: 320 }), line)
  })

  it.prop(
    "shows the price between its ends if and only if the position is in range",
    { a: Tick, b: Tick, tick: Tick },
    ({ a, b, tick }) => {
      if (a === b) return true
      const [tickLower, tickUpper] = [Math.min(a, b), Math.max(a, b)]
      const line = drawRange({ tick, tickLower, tickUpper })
      const [low, price, high] = ["[", "●", "]"].map((mark) => line.indexOf(mark))
      const isIn = tickLower <= tick && tick < tickUpper
      return line.length === 50 && low! >= 0 && high! > low! && isIn === (low! < price! && price! < high!)
    }
  )
})
