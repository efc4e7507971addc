import { assert, describe, it } from "@effect/vitest"
import { canMove, countedStates, FiatOrderState, isOver } from "./orderStates.ts"

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

  it.each(directions)("%s: what is over stays so, and only gives money back", (direction) => {
    for (const from of states.filter(isOver)) {
      for (const to of states) {
        if (canMove(direction, from, to)) assert.include(["RETURNED", "REFUNDED"], to)
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
