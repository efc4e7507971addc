import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { feeSplit } from "./feeSplit.ts"

const split = (amount: bigint, gasFee: bigint, transactionFeePercent: number, extraFeePercent: number) =>
  Option.getOrNull(feeSplit(amount, { gasFee, transactionFeePercent, extraFeePercent }))

describe("feeSplit", () => {
  it("takes each percentage of the whole amount, before the other fees", () => {
    assert.deepStrictEqual(split(1_000_000_000n, 5_000_000n, 0.3, 1.25), {
      gasFee: 5_000_000n,
      transactionFee: 3_000_000n,
      extraFee: 12_500_000n,
      net: 979_500_000n
    })
  })

  it("rounds percentages down", () => {
    assert.deepStrictEqual(split(999n, 0n, 0.1, 0.1), { gasFee: 0n, transactionFee: 0n, extraFee: 0n, net: 999n })
  })

  it("has nothing when nothing would remain", () => {
    assert.strictEqual(split(100n, 100n, 0, 0), null)
    assert.strictEqual(split(100n, 0n, 60, 40), null)
    assert.strictEqual(split(0n, 0n, 0, 0), null)
  })

  const Amount = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 2n ** 128n }))
  const Percent = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 99.99 }))

  it.prop(
    "parts add up to the amount",
    { amount: Amount, gasFee: Amount, transactionFee: Percent, extraFee: Percent },
    ({ amount, extraFee, gasFee, transactionFee }) => {
      const parts = split(amount, gasFee, transactionFee, extraFee)
      return parts === null || parts.gasFee + parts.transactionFee + parts.extraFee + parts.net === amount
    }
  )
})
