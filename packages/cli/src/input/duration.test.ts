import { assert, describe, it } from "@effect/vitest"
import { Duration, Option } from "effect"
import { durationOrNone } from "./readAs.ts"

describe("durationOrNone", () => {
  it.each([
    ["90d", 90 * 86_400],
    ["12h", 12 * 3_600],
    ["30m", 1_800],
    ["45s", 45],
    ["2w", 14 * 86_400],
    ["1h30m", 5_400],
    ["1h 30m", 5_400],
    ["1.5 hours", 5_400],
    ["90 days", 90 * 86_400],
    ["1 Hour ", 3_600],
    ["0 seconds", 0]
  ])("accepts %s", (text, seconds) => {
    assert.deepStrictEqual(Option.map(durationOrNone(text), Duration.toSeconds), Option.some(seconds))
  })

  it.each(["", "90", "d", "-1d", "1x", "soon", "1h later", "1 2h", "h1", "1e3s"])("rejects %j", (text) => {
    assert.deepStrictEqual(durationOrNone(text), Option.none())
  })
})
