import { assert, describe, it } from "@effect/vitest"
import { FairSlots, type Slot, shareOf } from "./FairSlots.ts"

describe("shareOf", () => {
  it.each([
    [512, 1, 256],
    [512, 2, 170],
    [4, 1, 2],
    [4, 9, 1],
    [1, 1, 1]
  ])("%i slots among %i groups is %i", (max, groups, share) => {
    assert.strictEqual(shareOf(max, groups), share)
  })
})

describe("FairSlots", () => {
  const takeAll = (slots: FairSlots, group: string): ReadonlyArray<Slot> =>
    Array.from({ length: 20 }, () => slots.take(group)).filter((slot) => typeof slot !== "string")

  it("leaves room for groups that come later, and for the first again once it has left", () => {
    const slots = new FairSlots(12)
    const [a, b, c] = ["a", "b", "c"].map((group) => takeAll(slots, group))
    assert.deepStrictEqual([a!.length, b!.length, c!.length], [6, 4, 2])
    assert.strictEqual(slots.take("a"), "FULL")
    for (const slot of a!) slot.release()
    assert.notStrictEqual(slots.take("a"), "FULL")
    assert.strictEqual(slots.take("b"), "SHARE_USED")
  })

  it("counts a slot that is released twice once", () => {
    const slots = new FairSlots(2)
    const slot = slots.take("a") as Slot
    slot.release()
    slot.release()
    assert.lengthOf(takeAll(slots, "a"), 1)
    assert.lengthOf(takeAll(slots, "b"), 1)
    assert.strictEqual(slots.take("c"), "FULL")
  })
})
