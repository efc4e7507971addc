import { assert, describe, it } from "@effect/vitest"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { aFiatOrder, aFiatQuote } from "./FiatOrder.fixture.ts"
import { resolvedOrder } from "./orderMove.ts"

const DAY_MS = 86_400_000

describe("An operator's decision", () => {
  it("ends an order in review, and a pending order only if it has not changed for a day", () => {
    for (const state of ["AWAITING_FUNDS", "PROCESSING", "IN_REVIEW"] as const) {
      const order = aFiatOrder(aFiatQuote({ createdAt: at(0) }), { state })
      const stateAfter = (ms: number) => resolvedOrder(order, "FAILED", "The bank has no such payment", at(ms)).state
      assert.strictEqual(stateAfter(DAY_MS), state === "IN_REVIEW" ? "FAILED" : state)
      assert.strictEqual(stateAfter(DAY_MS + 1), "FAILED")
    }
  })

  it("does not change an order that has ended", () => {
    const order = aFiatOrder(aFiatQuote({ createdAt: at(0) }), { state: "COMPLETED" })
    assert.strictEqual(resolvedOrder(order, "FAILED", "a reason", at(2 * DAY_MS)), order)
  })
})
