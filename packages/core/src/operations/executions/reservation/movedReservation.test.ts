import { assert, describe, it } from "@effect/vitest"
import { aTransaction } from "../../../accounting/history/Transaction.fixture.ts"
import { anAddress } from "../../../foundation/primitives/ids.fixture.ts"
import { Hash32 } from "../../../foundation/primitives/index.ts"
import { anExecution } from "../Execution.fixture.ts"
import { INCLUSION } from "../inclusion/InclusionStage.ts"
import { withMovedReservation } from "./movedReservation.ts"
import type { Reservation } from "./Reservation.ts"

const hash = Hash32.make(`0x${"7a".repeat(32)}`)
const block = { number: 9n, hash }
const includedTransaction = aTransaction({ legs: [{ chainId: 137, hash, block, state: "INCLUDED", stage: 0 }] })

const stages = [INCLUSION, "submission", "payout", "finality"].map((name) => ({
  name,
  intent: null,
  status: "PROCESSING" as const,
  state: "null",
  deadline: null
}))

const reservation: Reservation = {
  chainId: 137,
  spending: [{ token: anAddress(), value: 5n, gas: 1n }],
  uses: [{ resource: "an allowance", isExclusive: true, until: "submission" }],
  nonces: [1n],
  block: null,
  unpaid: null
}

const movedFieldsAt = (at: number, hasEnded = false, fields: Partial<Reservation> = {}) => {
  const { reservation: movedReservation } = withMovedReservation(
    { ...anExecution(), stages, at, reservation: { ...reservation, ...fields } },
    includedTransaction,
    hasEnded
  )
  return movedReservation === null ? null : [movedReservation?.block ?? null, movedReservation?.isHeld ?? false]
}

describe("withMovedReservation", () => {
  it("keeps a use after the block until its stage ends", () => {
    assert.deepStrictEqual(movedFieldsAt(0), [null, false])
    assert.deepStrictEqual(movedFieldsAt(1), [null, true])
    assert.deepStrictEqual(movedFieldsAt(2), [9n, false])
    assert.deepStrictEqual(movedFieldsAt(1, true), [9n, false])
  })

  it("ends other uses with the block, and reserves everything again after a step back", () => {
    assert.deepStrictEqual(movedFieldsAt(1, false, { uses: [{ resource: "a position", isExclusive: true }] }), [
      9n,
      false
    ])
    assert.deepStrictEqual(movedFieldsAt(0, false, { isHeld: true }), [null, false])
  })
})
