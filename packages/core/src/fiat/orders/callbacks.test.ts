import { assert, describe, it } from "@effect/vitest"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { aFiatOrder, aFiatQuote } from "./FiatOrder.fixture.ts"
import { transitionOrder } from "./orderMove.ts"
import { canTransition, type FiatDirection, FiatOrderState, isOver } from "./orderStates.ts"

/** Returns a deterministic sequence of numbers (xorshift). */
const numbersFrom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

const SEQUENCES = 10_000
const MAX_LENGTH = 30
const states = FiatOrderState.literals

/** The state for returned funds, which a provider may report after the end of an order. */
const returnStates: Readonly<Record<FiatDirection, FiatOrderState>> = { DEPOSIT: "REFUNDED", WITHDRAWAL: "RETURNED" }

const afterEnd = (direction: FiatDirection, end: FiatOrderState): ReadonlyArray<FiatOrderState> =>
  direction === "DEPOSIT" && end === "EXPIRED" ? ["COMPLETED", "REFUNDED"] : [returnStates[direction]]

describe("Reports of a provider that are repeated, reordered or contradictory", () => {
  it.each(["DEPOSIT", "WITHDRAWAL"] as const)(
    "%s: never change an order that has ended, except for returned funds",
    (direction) => {
      const nextNumber = numbersFrom(20_261_123)
      const initialOrder = aFiatOrder(aFiatQuote({ direction }))
      for (let sequence = 0; sequence < SEQUENCES; sequence++) {
        let order = initialOrder
        let firstFinalState: FiatOrderState | null = null
        const reportedStates = Array.from(
          { length: 1 + nextNumber(MAX_LENGTH) },
          () => states[nextNumber(states.length)]!
        )
        for (const [time, reportedState] of reportedStates.entries()) {
          const orderBefore = order
          order = transitionOrder(orderBefore, reportedState, at(time))
          if (orderBefore !== order) {
            assert.isTrue(
              canTransition(direction, orderBefore.state, reportedState),
              `${orderBefore.state} to ${reportedState}`
            )
            assert.strictEqual(order.state, reportedState)
            assert.deepStrictEqual(order.steps, [...orderBefore.steps, { state: reportedState, at: at(time) }])
            if (isOver(orderBefore.state)) assert.include(afterEnd(direction, orderBefore.state), reportedState)
          }
          if (firstFinalState === null && isOver(order.state)) firstFinalState = order.state
          // A repeated report changes nothing.
          assert.strictEqual(transitionOrder(order, reportedState, at(time)), order)
        }
        if (firstFinalState !== null)
          assert.include([firstFinalState, ...afterEnd(direction, firstFinalState)], order.state)
        assert.strictEqual(order.steps.at(-1)?.state, order.state)
      }
    }
  )
})
