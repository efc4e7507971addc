import { assert, describe, it } from "@effect/vitest"
import { EventGroup, EventType, isWanted } from "./EventType.ts"

describe("isWanted", () => {
  it.each([
    [null, "wallet.deployed", true],
    [["wallet.deployed"], "wallet.deployed", true],
    [["wallet.registered"], "wallet.deployed", false],
    [["transaction.*", "wallet.*"], "wallet.deployed", true],
    [["ramp.deposit.*"], "ramp.withdrawal.failed", false],
    [[], "wallet.deployed", false]
  ] as const)("%j takes %s: %s", (filters, type, expected) => {
    assert.strictEqual(isWanted(filters, type), expected)
  })

  it("knows a group for every type but the test's", () => {
    const without = EventType.literals.filter((type) => !isWanted([...EventGroup.literals], type))
    assert.deepStrictEqual(without, ["webhook.test"])
  })
})
