import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { EventFilter, matchesFilters } from "./EventFilter.ts"

describe("isWanted", () => {
  it.each([
    [null, "wallet.deployed", true],
    [["wallet.deployed"], "wallet.deployed", true],
    [["wallet.registered"], "wallet.deployed", false],
    [["transaction.*", "wallet.*"], "wallet.deployed", true],
    [["ramp.deposit.*"], "ramp.withdrawal.failed", false],
    [[], "wallet.deployed", false]
  ] as const)("with %j accepts %s: %s", (filters, type, expected) => {
    assert.strictEqual(matchesFilters(filters, type), expected)
  })
})

describe("EventFilter", () => {
  it.each([
    ["transaction.completed", true],
    ["ramp.deposit.*", true],
    ["tax_export.failed", true],
    ["*", false],
    ["transaction", false],
    ["transaction.*.failed", false],
    ["Transaction.failed", false]
  ])("%s: %s", (text, expected) => assert.strictEqual(Schema.is(EventFilter)(text), expected))
})
