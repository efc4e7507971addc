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
    Array.from({ length: 200 }, () => slots.take(group)).filter((slot) => typeof slot !== "string")

  it("has slots left for the fourth and later groups, even if each group takes as many as it can", () => {
    const slots = new FairSlots(128)
    const counts = Array.from({ length: 12 }, (_, at) => takeAll(slots, `${at}`).length)
    assert.deepStrictEqual(counts.slice(0, 4), [64, 32, 7, 4])
    assert.notInclude(counts, 0)
  })

  it("gives a group its first slot whenever a slot is free", () => {
    const slots = new FairSlots(12)
    const counts = ["a", "b", "c", "d", "e", "f"].map((group) => takeAll(slots, group).length)
    assert.deepStrictEqual(counts, [6, 3, 1, 1, 1, 0])
  })

  it("gives no group more than `groupMax`, even if no other group is active", () => {
    assert.lengthOf(takeAll(new FairSlots(128, 8), "a"), 8)
  })

  it("rejects a group that has used its share, and gives it a slot again after a release", () => {
    const slots = new FairSlots(12)
    const a = takeAll(slots, "a")
    takeAll(slots, "b")
    assert.strictEqual(slots.take("a"), "SHARE_USED")
    for (const group of ["c", "d", "e"]) slots.take(group)
    assert.strictEqual(slots.take("f"), "FULL")
    for (const slot of a) slot.release()
    assert.notStrictEqual(slots.take("a"), "FULL")
    assert.strictEqual(slots.take("b"), "SHARE_USED")
  })

  it("ignores a second release of a slot", () => {
    const slots = new FairSlots(2)
    const slot = slots.take("a") as Slot
    slot.release()
    slot.release()
    assert.lengthOf(takeAll(slots, "a"), 1)
    assert.lengthOf(takeAll(slots, "b"), 1)
    assert.strictEqual(slots.take("c"), "FULL")
  })
})
