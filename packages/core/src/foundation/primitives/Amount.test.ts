import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { baseUnitsOrNone, DecimalString, decimalFromBaseUnits, MAX_UINT256 } from "./Amount.ts"

const unitsOrNull = (amount: string, decimals: number) =>
  Option.getOrNull(baseUnitsOrNone(DecimalString.make(amount), decimals))

describe("DecimalString", () => {
  it.each(["", "-1", "+1", "1e3", "1.", ".5", " 1", "1 ", "1,5", "0x10", "NaN", "1".repeat(101)])(
    "rejects %j",
    (text) => {
      assert.isFalse(Schema.is(DecimalString)(text))
    }
  )

  it.each(["0", "1", "1.5", "0.000001", "007", "1.50"])("accepts %j", (text) => {
    assert.isTrue(Schema.is(DecimalString)(text))
  })
})

describe("baseUnitsOrNone", () => {
  it("returns base units of the token", () => {
    assert.strictEqual(unitsOrNull("1.5", 6), 1_500_000n)
    assert.strictEqual(unitsOrNull("0", 18), 0n)
    assert.strictEqual(unitsOrNull("123456789.123456789123456789", 18), 123456789123456789123456789n)
    assert.strictEqual(unitsOrNull("7", 0), 7n)
  })

  it("rejects more decimals than the token has, except trailing zeros", () => {
    assert.strictEqual(unitsOrNull("0.0000001", 6), null)
    assert.strictEqual(unitsOrNull("0.1000000000", 1), 1n)
  })

  it("rejects amounts above 256 bits", () => {
    assert.strictEqual(unitsOrNull(String(MAX_UINT256), 0), MAX_UINT256)
    assert.strictEqual(unitsOrNull(String(MAX_UINT256 + 1n), 0), null)
  })
})

describe("decimalFromBaseUnits", () => {
  it.prop(
    "returns text that is parsed to the same base units",
    {
      amount: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: MAX_UINT256 })),
      decimals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 36 }))
    },
    ({ amount, decimals }) => unitsOrNull(decimalFromBaseUnits(amount, decimals), decimals) === amount
  )

  it("returns the shortest notation", () => {
    assert.strictEqual(decimalFromBaseUnits(1_500_000n, 6), "1.5")
    assert.strictEqual(decimalFromBaseUnits(1n, 18), "0.000000000000000001")
    assert.strictEqual(decimalFromBaseUnits(10n, 1), "1")
    assert.strictEqual(decimalFromBaseUnits(0n, 6), "0")
  })
})
