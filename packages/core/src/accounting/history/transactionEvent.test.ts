import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { awkwardMetadata } from "../../foundation/primitives/metadata.fixture.ts"
import { aMovement, aTransaction } from "./Transaction.fixture.ts"
import { arrivalEvents, changeEvent, transactionEvents, transactionEventType } from "./transactionEvent.ts"

describe("transactionEventType", () => {
  it.each([
    ["PENDING_SIGNATURE", "PROCESSING", "transaction.updated"],
    ["PROCESSING", "PROCESSING", "transaction.updated"],
    ["PROCESSING", "ON_BRIDGE", "transaction.updated"],
    ["PROCESSING", "COMPLETED", "transaction.completed"],
    ["ON_BRIDGE", "PARTIALLY_COMPLETED", "transaction.partially_completed"],
    ["PROCESSING", "FAILED", "transaction.failed"],
    ["PROCESSING", "CANCELLED", "transaction.cancelled"],
    ["PENDING_SIGNATURE", "EXPIRED", "transaction.expired"],
    ["ON_BRIDGE", "REFUNDED", "transaction.refunded"],
    ["COMPLETED", "COMPLETED", "transaction.updated"],
    ["COMPLETED", "PROCESSING", "transaction.reorged"],
    ["FAILED", "PROCESSING", "transaction.reorged"]
  ] as const)("from %s to %s is %s", (previous, status, type) => {
    assert.strictEqual(transactionEventType(previous, status), type)
  })
})

describe("changeEvent", () => {
  it("contains the complete transaction after the change", () => {
    const transaction = aTransaction({
      status: "COMPLETED",
      metadata: awkwardMetadata,
      updatedAt: at(7),
      movements: [aMovement({ amount: 2n ** 200n, usd: "1.5" }), aMovement({ asset: { currency: "BRL" }, leg: null })]
    })
    const event = changeEvent(transaction, "PROCESSING")
    assert.deepStrictEqual(transactionEvents.resourceOf(event.snapshot), transaction)
    assert.deepStrictEqual(
      { ...event, snapshot: "" },
      {
        projectId: transaction.projectId,
        type: "transaction.completed",
        resource: { kind: "transaction", id: transaction.id },
        at: at(7),
        previousStatus: "PROCESSING",
        snapshot: ""
      }
    )
  })
})

describe("arrivalEvents", () => {
  const eventsOf = (transaction: ReturnType<typeof aTransaction>) =>
    arrivalEvents(transaction).map(({ at, previousStatus, type }) => [type, previousStatus, DateTime.toEpochMillis(at)])
  const updatedAt = at(7)
  const millis = DateTime.toEpochMillis(updatedAt)

  it("report a pending transaction as created", () => {
    assert.deepStrictEqual(eventsOf(aTransaction({ status: "PROCESSING", updatedAt })), [
      ["transaction.created", null, millis]
    ])
  })

  it("report an ended transaction as created, and then as ended", () => {
    assert.deepStrictEqual(eventsOf(aTransaction({ status: "COMPLETED", updatedAt })), [
      ["transaction.created", null, millis],
      ["transaction.completed", null, millis + 1]
    ])
  })
})
