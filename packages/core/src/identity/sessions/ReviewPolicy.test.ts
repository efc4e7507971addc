import { assert, describe, it } from "@effect/vitest"
import { isApproved } from "./ReviewPolicy.ts"

describe("An approval", () => {
  it.each([
    [[], false, false],
    [["ana"], true, false],
    [["ana", "ana"], true, false],
    [["ana", "ben"], true, true]
  ] as const)("by %j: %s with one reviewer, %s with two reviewers", (reviewers, withOne, withTwo) => {
    assert.strictEqual(isApproved(reviewers, { isFourEyes: false }), withOne)
    assert.strictEqual(isApproved(reviewers, { isFourEyes: true }), withTwo)
  })
})
