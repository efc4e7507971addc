import { assert, describe, it } from "@effect/vitest"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import type { Movement } from "../history/index.ts"
import { aMovement } from "../history/Transaction.fixture.ts"
import type { TaxEntry, TaxKind } from "../tax-treatment/index.ts"
import { withInterest } from "./interest.ts"

const asset = { chainId: 1, token: anAddress() } as const

const entryOf = (
  direction: Movement["direction"],
  kind: TaxKind,
  amount: bigint,
  fields: Partial<TaxEntry> = {},
  holding = "loan"
): TaxEntry => ({ legs: [{ movement: aMovement({ direction, asset, amount }), amount, kind, holding }], ...fields })

const legTextsOf = (...entries: ReadonlyArray<TaxEntry>) =>
  withInterest(entries).map(({ legs }) => legs.map(({ amount, kind }) => `${kind} ${amount}`))

describe("withInterest", () => {
  it("treats a withdrawal above the supplied amount as income, after the principal", () => {
    assert.deepStrictEqual(
      legTextsOf(
        entryOf("OUT", "COLLATERAL", 100n),
        entryOf("IN", "COLLATERAL", 60n),
        entryOf("IN", "COLLATERAL", 43n),
        entryOf("IN", "COLLATERAL", 1n)
      ),
      [["COLLATERAL 100"], ["COLLATERAL 60"], ["COLLATERAL 40", "INCOME 3"], ["INCOME 1"]]
    )
  })

  it("includes a withdrawal of the wrapped token instead of the native token", () => {
    const { legs } = entryOf("IN", "COLLATERAL", 60n)
    const wrappedToken = { chainId: 1, token: anAddress() } as const
    const inWrapped = legs.map((leg) => ({ ...leg, movement: { ...leg.movement, asset: wrappedToken } }))
    assert.deepStrictEqual(
      legTextsOf(entryOf("OUT", "COLLATERAL", 100n), { legs: inWrapped }, entryOf("IN", "COLLATERAL", 43n)),
      [["COLLATERAL 100"], ["COLLATERAL 60"], ["COLLATERAL 40", "INCOME 3"]]
    )
  })

  it("treats a repayment above the borrowed amount as a cost, after subtracting repayments of another party", () => {
    const dischargedDebt = { holding: "loan", amount: 30n }
    assert.deepStrictEqual(
      legTextsOf(
        entryOf("IN", "DEBT", 100n),
        entryOf("OUT", "DISPOSAL", 5n, { dischargedDebt }, "collateral"),
        entryOf("OUT", "DEBT", 71n)
      ),
      [["DEBT 100"], ["DISPOSAL 5"], ["DEBT 70", "FEE 1"]]
    )
  })

  it("reports no interest for a loan without a recorded start, or in another market", () => {
    assert.deepStrictEqual(
      legTextsOf(
        entryOf("OUT", "COLLATERAL", 9n, {}, "another loan"),
        entryOf("IN", "COLLATERAL", 10n),
        entryOf("OUT", "DEBT", 10n)
      ),
      [["COLLATERAL 9"], ["COLLATERAL 10"], ["DEBT 10"]]
    )
  })
})
