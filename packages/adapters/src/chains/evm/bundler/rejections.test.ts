import { assert, describe, it } from "@effect/vitest"
import { Rejections } from "./rejections.ts"

describe("Rejections", () => {
  it("returns null for an operation that was not rejected", () => {
    const rejections = new Rejections()
    assert.isNull(rejections.reasonUnlessRetry("a", 0))
    assert.isFalse(rejections.has("a"))
  })

  it("allows one caller at a time to retry a rejected operation, and returns the same rejection to the others", () => {
    const rejections = new Rejections()
    rejections.add("a", "no a")
    rejections.add("b", "no b")
    assert.isNull(rejections.reasonUnlessRetry("a", 1_000))
    assert.strictEqual(rejections.reasonUnlessRetry("b", 1_000), "no b")
    assert.isNull(rejections.reasonUnlessRetry("new", 1_000))
    assert.strictEqual(rejections.reasonUnlessRetry("a", 1_499), "no a")
    assert.isNull(rejections.reasonUnlessRetry("b", 1_500))
  })

  it("removes the oldest rejection beyond the maximum", () => {
    const rejections = new Rejections()
    for (let index = 0; index <= 10_000; index++) rejections.add(String(index), "no")
    assert.isFalse(rejections.has("0"))
    assert.isTrue(rejections.has("1"))
  })
})
