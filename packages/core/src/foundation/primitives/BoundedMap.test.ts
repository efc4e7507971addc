import { assert, describe, it } from "@effect/vitest"
import { BoundedMap } from "./BoundedMap.ts"

describe("BoundedMap", () => {
  it("drops the entry that was set longest ago", () => {
    const map = new BoundedMap<string, number>(2).set("a", 1).set("b", 2).set("c", 3)
    assert.deepStrictEqual(
      [...map],
      [
        ["b", 2],
        ["c", 3]
      ]
    )
  })

  it("treats an entry that is set again as the newest", () => {
    const map = new BoundedMap<string, number>(2).set("a", 1).set("b", 2).set("a", 3).set("c", 4)
    assert.deepStrictEqual(
      [...map],
      [
        ["a", 3],
        ["c", 4]
      ]
    )
  })
})
