import { assert, describe, it } from "@effect/vitest"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import type { Movement } from "../history/index.ts"
import { aMovement } from "../history/Transaction.fixture.ts"
import type { TaxEntry, TaxKind } from "../tax-treatment/index.ts"
import { withInterest } from "./interest.ts"

const asset = { chainId: 1, token: anAddress() } as const

const entry = (
  direction: Movement["direction"],
  kind: TaxKind,
  amount: bigint,
  fields: Partial<TaxEntry> = {},
  holding = "loan"
): TaxEntry => ({ legs: [{ movement: aMovement({ direction, asset, amount }), amount, kind, holding }], ...fields })

const legsOf = (...entries: ReadonlyArray<TaxEntry>) =>
  withInterest(entries).map(({ legs }) => legs.map(({ amount, kind }) => `${kind} ${amount}`))

describe("withInterest", () => {
  it("treats a withdrawal above the supplied amount as income, after the principal", () => {
    assert.deepStrictEqual(
      legsOf(
        entry("OUT", "COLLATERAL", 100n),
        entry("IN", "COLLATERAL", 60n),
        entry("IN", "COLLATERAL", 43n),
        entry("IN", "COLLATERAL", 1n)
      ),
      [["COLLATERAL 100"], ["COLLATERAL 60"], ["COLLATERAL 40", "INCOME 3"], ["INCOME 1"]]
    )
  })

  it("includes a withdrawal of the wrapped token instead of the native token", () => {
    const { legs } = entry("IN", "COLLATERAL", 60n)
    const wrappedToken = { chainId: 1, token: anAddress() } as const
    const inWrapped = legs.map((leg) => ({ ...leg, movement: { ...leg.movement, asset: wrappedToken } }))
    assert.deepStrictEqual(
      legsOf(entry("OUT", "COLLATERAL", 100n), { legs: inWrapped }, entry("IN", "COLLATERAL", 43n)),
      [["COLLATERAL 100"], ["COLLATERAL 60"], ["COLLATERAL 40", "INCOME 3"]]
    )
  })

  it("treats a repayment above the borrowed amount as a cost, after subtracting repayments of another party", () => {
    const dischargedDebt = { holding: "loan", amount: 30n }
    assert.deepStrictEqual(
      legsOf(
        entry("IN", "DEBT", 100n),
        entry("OUT", "DISPOSAL", 5n, { dischargedDebt }, "collateral"),
        entry("OUT", "DEBT", 71n)
      ),
      [["DEBT 100"], ["DISPOSAL 5"], ["DEBT 70", "FEE 1"]]
    )
  })

  it("reports no interest for a loan without a recorded start, or in another market", () => {
    assert.deepStrictEqual(
      legsOf(
        entry("OUT", "COLLATERAL", 9n, {}, "another loan"),
        entry("IN", "COLLATERAL", 10n),
        entry("OUT", "DEBT", 10n)
      ),
      [["COLLATERAL 9"], ["COLLATERAL 10"], ["DEBT 10"]]
    )
  })
})
