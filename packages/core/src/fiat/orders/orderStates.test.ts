import { assert, describe, it } from "@effect/vitest"
import {
  canStillMoveFunds,
  canTransition,
  countedStates,
  FiatOrderState,
  isOver,
  resolutionsOf
} from "./orderStates.ts"

const directions = ["DEPOSIT", "WITHDRAWAL"] as const
const states = FiatOrderState.literals

describe("The states of a fiat order", () => {
  it.each(directions)("%s: never return to an earlier state, except out of review", (direction) => {
    const reachableFrom = (from: FiatOrderState): ReadonlySet<FiatOrderState> => {
      const visited = new Set<FiatOrderState>()
      const visit = (state: FiatOrderState) => {
        for (const nextStatus of states) {
          if (!canTransition(direction, state, nextStatus) || visited.has(nextStatus)) continue
          visited.add(nextStatus)
          visit(nextStatus)
        }
      }
      visit(from)
      return visited
    }
    for (const state of states) {
      const canReturn = state === "IN_REVIEW" || state === "PROCESSING"
      assert.strictEqual(reachableFrom(state).has(state), canReturn, state)
    }
  })

  it.each(directions)("%s: stay final, unless money is returned or arrives late", (direction) => {
    for (const from of states.filter(isOver)) {
      const nextStates = states.filter((to) => canTransition(direction, from, to))
      for (const to of nextStates) {
        const isLate = direction === "DEPOSIT" && from === "EXPIRED" && to === "COMPLETED"
        if (!isLate) assert.include(["RETURNED", "REFUNDED"], to)
      }
      assert.strictEqual(canStillMoveFunds(direction, from), nextStates.length > 0)
    }
    for (const state of states.filter((one) => !isOver(one))) assert.isFalse(canStillMoveFunds(direction, state))
  })

  it("allow ending a deposit that is late, duplicate, or has another amount or name", () => {
    const nextOf = (from: FiatOrderState) => states.filter((to) => canTransition("DEPOSIT", from, to))
    assert.deepStrictEqual(nextOf("EXPIRED"), ["COMPLETED", "REFUNDED"])
    assert.includeMembers(nextOf("AWAITING_FUNDS"), ["COMPLETED", "REFUNDED"])
    assert.deepStrictEqual(nextOf("COMPLETED"), [])
    assert.deepStrictEqual(nextOf("REFUNDED"), [])
  })

  it("allow an operator to end only an order that is in review or stuck", () => {
    for (const isStuck of [false, true]) {
      const depositEnds = resolutionsOf("DEPOSIT", "IN_REVIEW", isStuck)
      assert.deepStrictEqual(depositEnds, ["COMPLETED", "CANCELLED", "FAILED", "REFUNDED"])
      assert.deepStrictEqual(resolutionsOf("WITHDRAWAL", "IN_REVIEW", isStuck), ["COMPLETED", "FAILED", "RETURNED"])
    }
    assert.deepStrictEqual(resolutionsOf("WITHDRAWAL", "PROCESSING", true), ["COMPLETED", "FAILED", "RETURNED"])
    for (const direction of directions) {
      for (const from of states.filter((state) => state !== "IN_REVIEW")) {
        assert.deepStrictEqual(resolutionsOf(direction, from, false), [])
        if (isOver(from)) assert.deepStrictEqual(resolutionsOf(direction, from, true), [])
      }
    }
  })

  it("count toward limits while the order is pending or completed", () =>
    assert.deepStrictEqual(countedStates, ["AWAITING_FUNDS", "FUNDS_RECEIVED", "PROCESSING", "IN_REVIEW", "COMPLETED"]))

  it("allow returning a deposit to its payer, and a withdrawal to its wallet", () => {
    for (const from of states) {
      assert.isFalse(canTransition("DEPOSIT", from, "RETURNED"))
      assert.isFalse(canTransition("WITHDRAWAL", from, "REFUNDED"))
    }
  })
})
