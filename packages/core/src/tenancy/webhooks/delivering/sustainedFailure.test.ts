import { assert, describe, it } from "@effect/vitest"
import { at } from "../../../foundation/primitives/ids.fixture.ts"
import type { Verdict } from "./deliveryPolicy.ts"
import { FAILING_MAX_MS, failingSinceAfter, isSustainedFailure } from "./endpointHealth.ts"

const verdicts: ReadonlyArray<Verdict> = [
  { _tag: "Delivered" },
  { _tag: "Retry", delayMs: 5 },
  { _tag: "GaveUp" },
  { _tag: "Gone" }
]

describe("failingSinceAfter", () => {
  it("starts with the first failure and ends with a success", () => {
    assert.deepStrictEqual(
      verdicts.map((verdict) => failingSinceAfter(null, verdict, at(7))),
      [null, at(7), at(7), at(7)]
    )
    assert.deepStrictEqual(
      verdicts.map((verdict) => failingSinceAfter(at(3), verdict, at(7))),
      [null, at(3), at(3), at(3)]
    )
  })
})

describe("isSustainedFailure", () => {
  it("is true if a delivery has used all attempts after 5 days without success, and false before that", () => {
    assert.strictEqual(FAILING_MAX_MS, 432_000_000)
    for (const [since, now, expected] of [
      [at(0), at(FAILING_MAX_MS - 1), false],
      [at(0), at(FAILING_MAX_MS), true],
      [at(0), at(2 * FAILING_MAX_MS), true],
      [null, at(2 * FAILING_MAX_MS), false]
    ] as const) {
      assert.strictEqual(isSustainedFailure(since, { _tag: "GaveUp" }, now), expected)
    }
  })

  it("is false if no delivery has used all attempts", () => {
    assert.deepStrictEqual(
      verdicts.filter((verdict) => isSustainedFailure(at(0), verdict, at(9 * FAILING_MAX_MS))),
      [{ _tag: "GaveUp" }]
    )
  })
})
