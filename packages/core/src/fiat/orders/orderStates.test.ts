import { assert, describe, it } from "@effect/vitest"
import { canMove, countedStates, FiatOrderState, isOver, mayMoveOn, resolutionsOf } from "./orderStates.ts"

const directions = ["DEPOSIT", "WITHDRAWAL"] as const
const states = FiatOrderState.literals

describe("states of fiat orders", () => {
  it.each(directions)("%s: no move leads back to a state that was left, except out of review", (direction) => {
    const reachable = (from: FiatOrderState): ReadonlySet<FiatOrderState> => {
      const seen = new Set<FiatOrderState>()
      const visit = (state: FiatOrderState) => {
        for (const next of states) {
          if (!canMove(direction, state, next) || seen.has(next)) continue
          seen.add(next)
          visit(next)
        }
      }
      visit(from)
      return seen
    }
    for (const state of states) {
      const isInReview = state === "IN_REVIEW" || state === "PROCESSING"
      assert.strictEqual(reachable(state).has(state), isInReview, state)
    }
  })

  it.each(directions)("%s: what is over stays so: money goes back, or comes late", (direction) => {
    for (const from of states.filter(isOver)) {
      const next = states.filter((to) => canMove(direction, from, to))
      for (const to of next) {
        const isLate = direction === "DEPOSIT" && from === "EXPIRED" && to === "COMPLETED"
        if (!isLate) assert.include(["RETURNED", "REFUNDED"], to)
      }
      assert.strictEqual(mayMoveOn(direction, from), next.length > 0)
    }
    for (const state of states.filter((one) => !isOver(one))) assert.isFalse(mayMoveOn(direction, state))
  })

  it("ends a deposit that comes too late, of another amount or name, or twice", () => {
    const nextOf = (from: FiatOrderState) => states.filter((to) => canMove("DEPOSIT", from, to))
    assert.deepStrictEqual(nextOf("EXPIRED"), ["COMPLETED", "REFUNDED"])
    assert.includeMembers(nextOf("AWAITING_FUNDS"), ["COMPLETED", "REFUNDED"])
    assert.deepStrictEqual(nextOf("COMPLETED"), [])
    assert.deepStrictEqual(nextOf("REFUNDED"), [])
  })

  it("lets an operator end what is in review, and nothing else", () => {
    assert.deepStrictEqual(resolutionsOf("DEPOSIT", "IN_REVIEW"), ["COMPLETED", "CANCELLED", "FAILED", "REFUNDED"])
    assert.deepStrictEqual(resolutionsOf("WITHDRAWAL", "IN_REVIEW"), ["COMPLETED", "FAILED", "RETURNED"])
    for (const direction of directions) {
      for (const from of states.filter((state) => state !== "IN_REVIEW")) {
        assert.deepStrictEqual(resolutionsOf(direction, from), [])
      }
    }
  })

  it("counts what is alive or done against limits", () =>
    assert.deepStrictEqual(countedStates, ["AWAITING_FUNDS", "FUNDS_RECEIVED", "PROCESSING", "IN_REVIEW", "COMPLETED"]))

  it("gives back a deposit to its payer, and a withdrawal to its wallet", () => {
    for (const from of states) {
      assert.isFalse(canMove("DEPOSIT", from, "RETURNED"))
      assert.isFalse(canMove("WITHDRAWAL", from, "REFUNDED"))
    }
  })
})
