import { assert, describe, it } from "@effect/vitest"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { aFiatOrder, aFiatQuote } from "./FiatOrder.fixture.ts"
import { transitionOrder } from "./orderMove.ts"
import { canMove, type FiatDirection, FiatOrderState, isOver } from "./orderStates.ts"

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
const waysBack: Readonly<Record<FiatDirection, FiatOrderState>> = { DEPOSIT: "REFUNDED", WITHDRAWAL: "RETURNED" }

const afterEnd = (direction: FiatDirection, end: FiatOrderState): ReadonlyArray<FiatOrderState> =>
  direction === "DEPOSIT" && end === "EXPIRED" ? ["COMPLETED", "REFUNDED"] : [waysBack[direction]]

describe("Reports of a provider that are repeated, reordered or contradictory", () => {
  it.each(["DEPOSIT", "WITHDRAWAL"] as const)(
    "%s: never change an order that has ended, except for returned funds",
    (direction) => {
      const nextNumber = numbersFrom(20_261_123)
      const firstOrder = aFiatOrder(aFiatQuote({ direction }))
      for (let sequence = 0; sequence < SEQUENCES; sequence++) {
        let order = firstOrder
        let firstEnd: FiatOrderState | null = null
        const words = Array.from({ length: 1 + nextNumber(MAX_LENGTH) }, () => states[nextNumber(states.length)]!)
        for (const [time, word] of words.entries()) {
          const orderBefore = order
          order = transitionOrder(orderBefore, word, at(time))
          if (orderBefore !== order) {
            assert.isTrue(canMove(direction, orderBefore.state, word), `${orderBefore.state} to ${word}`)
            assert.strictEqual(order.state, word)
            assert.deepStrictEqual(order.steps, [...orderBefore.steps, { state: word, at: at(time) }])
            if (isOver(orderBefore.state)) assert.include(afterEnd(direction, orderBefore.state), word)
          }
          if (firstEnd === null && isOver(order.state)) firstEnd = order.state
          // A repeated report changes nothing.
          assert.strictEqual(transitionOrder(order, word, at(time)), order)
        }
        if (firstEnd !== null) assert.include([firstEnd, ...afterEnd(direction, firstEnd)], order.state)
        assert.strictEqual(order.steps.at(-1)?.state, order.state)
      }
    }
  )
})
