import { assert, describe, it } from "@effect/vitest"
import { jsonDepth } from "./boundedJson.ts"

describe("jsonDepth", () => {
  it.each([
    ["", 0],
    ["1", 0],
    ["{}", 1],
    ['{"a":[1,{"b":2}]}', 3],
    ['{"a":"[[[["}', 1],
    ['{"a":"\\"[[["}', 1],
    ["[[],[]]", 2]
  ])("of %s is %d", (text, depth) => assert.strictEqual(jsonDepth(text, 32), depth))

  it("stops counting past the limit", () => {
    assert.strictEqual(jsonDepth("[".repeat(1_000_000), 32), 33)
  })
})
