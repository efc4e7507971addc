import { assert, describe, it } from "@effect/vitest"
import { shortOrLong } from "../../../../test/support/longTests.ts"
import type { ConcentratedPool } from "./ConcentratedPool.ts"
import { concentratedToPrice } from "./concentratedToPrice.fixture.ts"
import { type RandomNumbers, randomAmount, randomNumbers, randomPool } from "./randomPools.fixture.ts"
import type { SwapOutcome } from "./SwapOutcome.ts"
import { swapConcentrated } from "./swapConcentrated.ts"
import { swapStepByStep } from "./swapStepByStep.fixture.ts"
import { sumsOf } from "./swapSums.ts"
import { priceLimit } from "./tickMath.ts"

const CASES = shortOrLong(20_000, 100_000)
const SWAPS_PER_POOL = 25
const EXCESSIVE_AMOUNT = 2n ** 250n

const plainOutcomeOf = (outcome: SwapOutcome<ConcentratedPool>) => {
  if (outcome._tag !== "Swapped") return outcome
  const { marginalOutput: _, poolAfter, ...rest } = outcome
  const { liquidity, sqrtPriceX96, tick } = poolAfter()
  return { ...rest, liquidity, sqrtPriceX96, tick }
}

const jsonTextOf = (value: unknown) =>
  JSON.stringify(value, (_, nestedValue) => (typeof nestedValue === "bigint" ? `${nestedValue}` : nestedValue))

/**
 * Returns an amount of any size. Usually its swap ends at a boundary of the pool, one base unit before or after it, or
 * a little further.
 */
const randomAmountFor = (
  random: RandomNumbers,
  pool: ConcentratedPool,
  zeroForOne: boolean,
  exactIn: boolean
): bigint => {
  if (random.below(4) === 0) return randomAmount(random)
  const checkpoint = random.of(sumsOf(pool, zeroForOne).marks)
  const total = exactIn ? checkpoint.totalIn : checkpoint.totalOut
  const amount = total + random.of([-1n, 0n, 1n, total >> 9n, random.magnitude(40)])
  return amount < 0n ? 0n : amount
}

describe("swapConcentrated", () => {
  it(`equals the contract's loop in ${CASES} swaps through random pools`, () => {
    const random = randomNumbers(10)
    const counts = { Swapped: 0, TicksMissing: 0, InsufficientLiquidity: 0, crossed: 0, crossedMany: 0 }
    let pool = randomPool(random)
    for (let i = 0; i < CASES; i++) {
      if (i % SWAPS_PER_POOL === 0) {
        pool = randomPool(random)
        for (const zeroForOne of [true, false]) swapConcentrated(pool, zeroForOne, EXCESSIVE_AMOUNT, true)
      }
      const zeroForOne = random.below(2) === 0
      const exactIn = random.below(2) === 0
      const amount = randomAmountFor(random, pool, zeroForOne, exactIn)
      const ownOutcome = swapConcentrated(pool, zeroForOne, amount, exactIn)
      const referenceOutcome = swapStepByStep(pool, zeroForOne, amount, exactIn)
      const [a, b] = [jsonTextOf(plainOutcomeOf(ownOutcome)), jsonTextOf(plainOutcomeOf(referenceOutcome))]
      if (a !== b) assert.fail(`${i}: ${a} is not ${b}, ${zeroForOne} ${exactIn} ${amount} of ${jsonTextOf(pool)}`)
      counts[ownOutcome._tag] += 1
      if (ownOutcome._tag === "Swapped") {
        if (ownOutcome.ticksCrossed > 0) counts.crossed += 1
        if (ownOutcome.ticksCrossed > 20) counts.crossedMany += 1
        // Sometimes the next swap uses the pool after this swap, whose price may be at a boundary.
        if (random.below(5) === 0) pool = ownOutcome.poolAfter()
      }
    }
    for (const [name, count] of Object.entries(counts)) assert.isAbove(count, CASES / 100, name)
  })
})

/** Returns a price that a swap passes: at a boundary, next to a boundary, or anywhere in the range. */
const randomPriceFor = (random: RandomNumbers, pool: ConcentratedPool, zeroForOne: boolean): bigint => {
  const limit = priceLimit(zeroForOne)
  const { sqrtPriceX96 } = random.of(sumsOf(pool, zeroForOne).marks)
  const price = sqrtPriceX96 + random.of([0n, 1n, -1n, sqrtPriceX96 >> 12n, -(sqrtPriceX96 >> 12n)])
  const isAhead = zeroForOne ? price <= pool.sqrtPriceX96 && price > limit : price >= pool.sqrtPriceX96 && price < limit
  return isAhead ? price : pool.sqrtPriceX96
}

describe("concentratedToPrice", () => {
  it("moves a pool to a price as the contract's loop does with this price limit", () => {
    const random = randomNumbers(11)
    let swapCount = 0
    for (let i = 0; i < 10_000; i++) {
      const pool = randomPool(random)
      const zeroForOne = random.below(2) === 0
      swapConcentrated(pool, zeroForOne, randomAmount(random), true)
      const price = randomPriceFor(random, pool, zeroForOne)
      const ownOutcome = concentratedToPrice(pool, zeroForOne, price)
      const referenceOutcome = swapStepByStep(pool, zeroForOne, EXCESSIVE_AMOUNT, true, price)
      assert.strictEqual(jsonTextOf(plainOutcomeOf(ownOutcome)), jsonTextOf(plainOutcomeOf(referenceOutcome)))
      if (ownOutcome._tag === "Swapped" && ownOutcome.amountIn > 0n) swapCount += 1
    }
    assert.isAbove(swapCount, 2_000)
  })
})
