import { Address, ratioFromPercent, shareRoundingDown } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { randomNumbers } from "../../../../core/src/trading/liquidity/math/randomPools.fixture.ts"
import { deductPortions, deductPortionsOfBoth, remainderAfter } from "./portions.ts"

const feeOf = (percent: number) => ({
  recipient: Address.make(`0x${"ab".repeat(20)}`),
  share: ratioFromPercent(percent)
})

describe("the fees on withdrawn amounts", () => {
  it("are basis points of the actually withdrawn amount", () => {
    const { payments, portions, remainder } = deductPortions([feeOf(0.3)], 1_000_001n, 900_000n)
    assert.deepStrictEqual([payments, remainder], [[3_000n], 997_001n])
    assert.strictEqual(remainderAfter(portions, 2_000_000n), 1_994_000n)
  })

  it("are fixed amounts if the router does not support the share, or if the withdrawn amount is fixed", () => {
    assert.deepStrictEqual(deductPortions([feeOf(0.125)], 1_000_000n, 995_000n).payments, [1_243n])
    assert.deepStrictEqual(deductPortions([feeOf(0.125)], 1_000_000n, 1_000_000n).payments, [1_250n])
  })

  it("are fixed amounts in both tokens of a pool if one token requires it", () => {
    const fees = [feeOf(1.5), feeOf(0.25)]
    const [portions0, portions1] = deductPortionsOfBoth(
      fees,
      { amount0: 1_000_000n, amount1: 0n },
      { amount0: 1_000_000n, amount1: 0n }
    )
    assert.deepStrictEqual(portions0.payments, [15_000n, 2_500n])
    for (const { portions } of [portions0, portions1]) {
      assert.deepStrictEqual(
        portions.map((portion) => "bips" in portion),
        [true, false]
      )
    }
  })

  it("never exceed their share, for any number of fees, and leave the remainder", () => {
    const random = randomNumbers(3)
    for (let i = 0; i < 5_000; i++) {
      const fees = Array.from({ length: 1 + random.below(3) }, () =>
        feeOf(random.below(3_000) / 100 + random.of([0, 0.001]))
      )
      const amount = random.magnitude(100) + 1n
      const minimums = (amount * BigInt(900 + random.below(101))) / 1_000n
      const { payments, portions, remainder } = deductPortions(fees, amount, minimums)
      for (const [j, payment] of payments.entries()) {
        assert.isTrue(payment <= shareRoundingDown(amount, fees[j]!.share) + 1n, `${payment} of ${amount}`)
      }
      assert.strictEqual(
        payments.reduce((sum, payment) => sum + payment, remainder),
        amount
      )
      assert.isTrue(remainderAfter(portions, minimums) >= 0n)
    }
  })
})
