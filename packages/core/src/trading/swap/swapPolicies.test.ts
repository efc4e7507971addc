import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { minAmountOutRoundingDown } from "./plan/swapPlan.ts"
import { sortByProfile } from "./provider/routeProfile.ts"

describe("minAmountOutRoundingDown", () => {
  it("subtracts the slippage and rounds down", () => {
    assert.strictEqual(minAmountOutRoundingDown(1_000n, 0.5), 995n)
    assert.strictEqual(minAmountOutRoundingDown(999n, 0.5), 994n)
    assert.strictEqual(minAmountOutRoundingDown(1n, 99), 0n)
  })

  it.prop(
    "is at most the output, and less than one base unit below the exact value",
    {
      amount: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 2n ** 128n })),
      tenths: Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 990 }))
    },
    ({ amount, tenths }) => {
      const minAmount = minAmountOutRoundingDown(amount, tenths / 10)
      const exactTimes1000 = amount * BigInt(1_000 - tenths)
      return minAmount <= amount && minAmount * 1_000n <= exactTimes1000 && (minAmount + 1n) * 1_000n > exactTimes1000
    }
  )
})

describe("orderByProfile", () => {
  const slowAndGood = { name: "slow and good", executable: true, guaranteed: 101n, executionSeconds: 600 }
  const fastOffer = { name: "fast", executable: true, guaranteed: 100n, executionSeconds: 10 }
  const fastAndBetter = {
    name: "fast and better",
    executable: true,
    guaranteed: 100n + 2n ** 60n,
    executionSeconds: 10
  }
  const unexecutableOffer = { name: "broken", executable: false, guaranteed: 2n ** 80n, executionSeconds: 1 }
  const namesOf = (quotes: ReadonlyArray<{ readonly name: string }>) => quotes.map(({ name }) => name)

  it("puts quotes that can't be executed last, regardless of their output", () => {
    for (const profile of ["QUICKEST_QUOTE", "FASTEST_BRIDGE", "BEST_OUTPUT"] as const) {
      assert.strictEqual(sortByProfile(profile, [unexecutableOffer, fastOffer]).at(-1)?.name, "broken")
    }
  })

  it("sorts BEST_OUTPUT by the guaranteed output, exactly", () => {
    assert.deepStrictEqual(namesOf(sortByProfile("BEST_OUTPUT", [fastOffer, slowAndGood, fastAndBetter])), [
      "fast and better",
      "slow and good",
      "fast"
    ])
  })

  it("sorts FASTEST_BRIDGE by time, then by output", () => {
    assert.deepStrictEqual(namesOf(sortByProfile("FASTEST_BRIDGE", [slowAndGood, fastOffer, fastAndBetter])), [
      "fast and better",
      "fast",
      "slow and good"
    ])
  })
})
