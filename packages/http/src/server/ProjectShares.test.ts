import { assert, describe, it } from "@effect/vitest"
import { ProjectShares, shareOf } from "./ProjectShares.ts"

describe("shareOf", () => {
  it.each([
    [512, 1, 256],
    [512, 2, 170],
    [4, 1, 2],
    [4, 9, 1],
    [1, 1, 1]
  ])("of %i requests among %i projects is %i", (max, projects, share) => {
    assert.strictEqual(shareOf(max, projects), share)
  })
})

describe("ProjectShares", () => {
  it("leaves room for projects that come later, and for the first again once it has left", () => {
    const shares = new ProjectShares(12)
    const entered = (project: string) => Array.from({ length: 20 }, () => shares.enter(project)).filter(Boolean).length
    assert.deepStrictEqual(["a", "b", "c"].map(entered), [6, 4, 3])
    assert.isFalse(shares.enter("a"))
    for (let i = 0; i < 6; i++) shares.leave("a")
    assert.isTrue(shares.enter("a"))
    for (const [project, count] of [
      ["a", 1],
      ["b", 4],
      ["c", 3]
    ] as const) {
      for (let i = 0; i < count; i++) shares.leave(project)
    }
    assert.strictEqual(entered("d"), 6)
  })
})
