import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { profitOf, type ValuedMovement } from "./profit.ts"

const usd = (dollars: number) => BigInt(Math.round(dollars * 1_000_000))

const purchase = (amount: bigint, dollars: number | null, atMs = 1): ValuedMovement => ({
  direction: "IN",
  amount,
  usdE6: dollars === null ? null : usd(dollars),
  atMs
})

const sale = (amount: bigint, dollars: number | null, atMs = 2): ValuedMovement => ({
  ...purchase(amount, dollars, atMs),
  direction: "OUT"
})

/** Returns the value of base units at a price in US dollars per base unit. */
const valueAt = (dollars: number) => (units: bigint) => units * usd(dollars)

const unknownPrice = () => null

describe("profit and loss of a token", () => {
  it("is the gain of a purchase", () => {
    const profit = profitOf([purchase(10n, 100)], 0, unknownPrice, valueAt(15))
    assert.deepStrictEqual(profit, {
      inflowE6: usd(100),
      outflowE6: 0n,
      profitE6: usd(50),
      investedE6: usd(100),
      holding: { units: 10n, costE6: usd(100) }
    })
  })

  it("uses the average cost of several purchases for the remaining units", () => {
    const { holding, profitE6 } = profitOf(
      [purchase(10n, 100), purchase(30n, 500), sale(20n, 400)],
      0,
      unknownPrice,
      valueAt(20)
    )
    // 40 tokens for $600 cost $15 each. 20 are sold for $400, a gain of $100. The other 20 are worth $20 each, another
    // gain of $100.
    assert.deepStrictEqual(holding, { units: 20n, costE6: usd(300) })
    assert.strictEqual(profitE6, usd(200))
  })

  it("is negative for a loss, and the same after everything is sold", () => {
    assert.strictEqual(profitOf([purchase(10n, 100), sale(10n, 70)], 0, unknownPrice, unknownPrice).profitE6, usd(-30))
    assert.strictEqual(profitOf([purchase(10n, 100)], 0, unknownPrice, valueAt(7)).profitE6, usd(-30))
  })

  it("counts the balance at the start of the period at its value at that time", () => {
    const movements = [purchase(10n, 100, 1), purchase(10n, 130, 5), sale(5n, 70, 6)]
    const profit = profitOf(movements, 5, valueAt(12), valueAt(14))
    // Opening value 120 and inflow 130. Closing value 15 × 14 = 210 and outflow 70.
    assert.strictEqual(profit.profitE6, usd(30))
    assert.strictEqual(profit.investedE6, usd(250))
  })

  it("is zero for an amount without a recorded inflow", () => {
    assert.strictEqual(profitOf([sale(10n, 100)], 0, unknownPrice, unknownPrice).profitE6, 0n)
    // Only 10 of the 20 sold units were recorded as bought, at a cost of 100. So half of the 300 counts.
    assert.strictEqual(profitOf([purchase(10n, 100), sale(20n, 300)], 0, unknownPrice, unknownPrice).profitE6, usd(50))
  })

  it("is unknown if a required price is missing, and known if that price is not required", () => {
    assert.isNull(profitOf([purchase(10n, null)], 0, unknownPrice, valueAt(1)).profitE6)
    assert.isNull(profitOf([purchase(10n, 100)], 0, unknownPrice, unknownPrice).profitE6)
    assert.isNull(profitOf([purchase(10n, 100, 1)], 5, unknownPrice, valueAt(1)).profitE6)
    assert.isNull(profitOf([purchase(10n, null), sale(5n, 50)], 0, unknownPrice, valueAt(1)).holding.costE6)
    const movements = [purchase(10n, null, 1), sale(10n, 50, 2), purchase(1n, 5, 6)]
    assert.strictEqual(profitOf(movements, 5, unknownPrice, valueAt(7)).profitE6, usd(2))
    assert.strictEqual(profitOf(movements, 5, unknownPrice, valueAt(7)).holding.costE6, usd(5))
  })
})

const Movements = Schema.Array(
  Schema.Struct({
    isIn: Schema.Boolean,
    amount: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000 })),
    dollars: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 }))
  })
)

describe("Profit over all time", () => {
  it.prop(
    "equals the realized profit at average cost and the gain of the remaining units, except for rounding",
    [Arbitrary.schema(Movements)],
    ([drawn]) => {
      const movements = drawn.map(({ amount, dollars, isIn }, i) =>
        (isIn ? purchase : sale)(BigInt(amount), dollars, i)
      )
      const { holding, profitE6 } = profitOf(movements, 0, unknownPrice, valueAt(3))
      let [units, cost, realizedProfit] = [0, 0, 0]
      for (const { amount, direction, usdE6 } of movements) {
        const dollars = Number(usdE6) / 1e6
        if (direction === "IN") {
          units += Number(amount)
          cost += dollars
        } else if (units > 0) {
          const heldUnits = Math.min(units, Number(amount))
          realizedProfit += (dollars * heldUnits) / Number(amount) - (cost * heldUnits) / units
          cost -= (cost * heldUnits) / units
          units -= heldUnits
        }
      }
      const expected = realizedProfit + units * 3 - cost
      assert.strictEqual(Number(holding.units), units)
      assert.isBelow(Math.abs(Number(profitE6) / 1e6 - expected), 0.001)
    }
  )
})
