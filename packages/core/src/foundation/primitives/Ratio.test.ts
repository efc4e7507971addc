import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  mulDivRoundingUp,
  percentText,
  proportionalAmounts,
  type Ratio,
  ratioFromPercent,
  shareRoundingDown
} from "./Ratio.ts"

const shareRoundingUp = (amount: bigint, { denominator, numerator }: Ratio) =>
  mulDivRoundingUp(amount, numerator, denominator)

const Amount = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 2n ** 128n }))
const Percent = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 }))

describe("ratioFromPercent", () => {
  it.each([
    [0.3, 3n, 1_000n],
    [100, 100n, 100n],
    [0.000001, 1n, 100_000_000n],
    [1e-7, 1n, 1_000_000_000n],
    [99.99, 9_999n, 10_000n],
    [0, 0n, 100n]
  ])("converts %d percent exactly", (percent, numerator, denominator) => {
    assert.deepStrictEqual(ratioFromPercent(percent), { numerator, denominator })
  })
})

describe("percentText", () => {
  it.each([
    [0.3, "0.3"],
    [100, "100"],
    [1e-7, "0.0000001"],
    [99.99, "99.99"],
    [0, "0"]
  ])("formats %d percent without an exponent", (percent, text) => {
    assert.strictEqual(percentText(percent), text)
  })
})

describe("A share", () => {
  it("is exact, unlike floats: 0.1 % of 3 tokens and 0.7 % of 1000", () => {
    assert.strictEqual(shareRoundingDown(3_000_000n, ratioFromPercent(0.1)), 3_000n)
    assert.strictEqual(shareRoundingDown(1_000n, ratioFromPercent(0.7)), 7n)
  })

  it.prop(
    "differs by at most one unit between rounding up and rounding down",
    { amount: Amount, percent: Percent },
    ({ amount, percent }) => {
      const share = ratioFromPercent(percent)
      const difference = shareRoundingUp(amount, share) - shareRoundingDown(amount, share)
      return difference === 0n || difference === 1n
    }
  )

  it.prop(
    "never exceeds the full amount",
    { amount: Amount, percent: Percent },
    ({ amount, percent }) => shareRoundingUp(amount, ratioFromPercent(percent)) <= amount
  )
})

describe("proportionalParts", () => {
  it.prop(
    "returns parts that sum to the amount, each less than one unit from its exact share",
    { amount: Amount, weights: Schema.Array(Amount).check(Schema.isMaxLength(6)) },
    ({ amount, weights }) => {
      const allWeights = [1n, ...weights]
      const sum = allWeights.reduce((a, b) => a + b, 0n)
      const amounts = proportionalAmounts(amount, allWeights)
      const isNear = (part: bigint, i: number) => {
        const error = part * sum - amount * allWeights[i]!
        return error < sum && -error < sum
      }
      return amounts.reduce((a, b) => a + b, 0n) === amount && amounts.every(isNear)
    }
  )
})
