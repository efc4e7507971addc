import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { healthProblem, healthText, healthWarnings } from "./healthBounds.ts"
import type { LendingFigures } from "./LendingMarket.ts"
import { LendingSettings } from "./LendingSettings.ts"
import { lendingActions, lendingTypeOf } from "./LendingType.ts"
import { repaidAmountOf, repaymentWarnings, shortfallOf } from "./repayment.ts"

const settings = LendingSettings.defaultValue()
const E16 = 10n ** 16n

const figuresOf = (healthFactorE18: bigint | null): LendingFigures => ({
  healthFactorE18,
  liquidationPrice: null,
  supplyRateE18: null,
  borrowRateE18: null
})
const outcomeOf = (before: bigint | null, after: bigint | null) => ({
  before: figuresOf(before === null ? null : before * E16),
  after: figuresOf(after === null ? null : after * E16)
})

describe("lendingTypeOf", () => {
  it.prop(
    "returns one of six types for valid combinations of legs, and null for all others",
    { legs: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 15 })) },
    ({ legs }) => {
      const serializeLegs = lendingActions.filter((_, i) => (legs >> i) % 2 === 1)
      const type = lendingTypeOf(Object.fromEntries(serializeLegs.map((action) => [action, {}])))
      const name = `LENDING_${serializeLegs.join("_").toUpperCase()}`
      const isValid = [[0], [1], [0, 1], [2], [3], [2, 3]].some(
        (actionIndexes) => actionIndexes.join() === serializeLegs.map((action) => lendingActions.indexOf(action)).join()
      )
      return type === (isValid ? name : null)
    }
  )
})

describe("The bounds of the health factor", () => {
  it("are compared with the rounded-down health factor", () => {
    assert.strictEqual(healthText(1_299_999_999_999_999_999n), "1.29")
  })

  it("apply only to an operation that lowers the health factor", () => {
    assert.deepStrictEqual(healthWarnings(outcomeOf(101n, 102n), settings), [])
    assert.isNull(healthProblem(outcomeOf(100n, 101n), settings, false))
    assert.lengthOf(healthWarnings(outcomeOf(200n, 120n), settings), 1)
    assert.lengthOf(healthWarnings(outcomeOf(null, 120n), settings), 1)
    assert.deepStrictEqual(healthWarnings(outcomeOf(null, 125n), settings), [])
    assert.deepStrictEqual(healthWarnings(outcomeOf(120n, null), settings), [])
  })

  it("reject an operation below the lower bound, unless the caller accepts it or it reverts anyway", () => {
    assert.strictEqual(healthProblem(outcomeOf(null, 102n), settings, false)?.problems[0].code, "health_factor_too_low")
    assert.isNull(healthProblem(outcomeOf(null, 102n), settings, true))
    assert.isNull(healthProblem(outcomeOf(null, 103n), settings, false))
    assert.isNull(healthProblem({ before: figuresOf(null), after: null }, settings, false))
  })
})

describe("A repayment", () => {
  const debt = { now: 1_000n, later: 1_005n }
  const token = {
    chainId: 1,
    address: anAddress(),
    name: "T",
    symbol: "T",
    decimals: 3,
    realWorldAsset: false
  } as const
  const legOf = (amount: bigint | "MAX") => ({ token, amount, marketId: null, side: null })

  it("is at most the debt", () => {
    assert.deepStrictEqual(
      ([1_004n, 1_006n, "MAX"] as const).map((amount) => repaidAmountOf(legOf(amount), debt)),
      [1_004n, 1_005n, 1_005n]
    )
  })

  it("of the complete debt needs a balance of the maximum debt when the quote expires", () => {
    const shortfallText =
      "0.002 T are missing: the debt can reach 1.005 T before the operation is executed, and the wallet has 1.003 T."
    assert.strictEqual(shortfallOf(legOf("MAX"), debt, 1_003n), shortfallText)
    assert.strictEqual(shortfallOf(legOf(2_000n), debt, 1_003n), shortfallText)
    assert.isNull(shortfallOf(legOf("MAX"), debt, 1_005n))
    assert.isNull(shortfallOf(legOf(1_004n), debt, 0n))
    assert.isNull(shortfallOf(undefined, debt, 0n))
  })

  it("of the current debt may leave a remainder", () => {
    assert.deepStrictEqual(repaymentWarnings(legOf(1_000n), debt), [
      '1 T may not repay the complete debt, which can reach 1.005 T before the operation is executed. Send "MAX" to repay the complete debt.'
    ])
    for (const amount of ["MAX", 999n, 1_005n] as const)
      assert.deepStrictEqual(repaymentWarnings(legOf(amount), debt), [])
    assert.deepStrictEqual(repaymentWarnings(undefined, debt), [])
  })
})
