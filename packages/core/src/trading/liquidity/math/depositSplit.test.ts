import { assert, describe, it } from "@effect/vitest"
import { bestDepositSplit, type DepositSplit } from "./depositSplit.ts"
import { liquidityForAmountsRoundingDown } from "./liquidityAmounts.ts"
import { randomNumbers, randomPool } from "./randomPools.fixture.ts"
import { burnMinimums, mintMinimums, pricesWithin } from "./slippagePrices.ts"
import { swapConcentrated } from "./swapConcentrated.ts"
import { sqrtPriceX96AtTick } from "./tickMath.ts"

/** Compares the best split of an amount with all other splits in random pools, and tests the minimum amounts. */

const CASES = 300
const MAX_AMOUNT = 2_000

describe("bestDivision", () => {
  it(`finds as much liquidity as trying every split, for ${CASES} amounts`, () => {
    const random = randomNumbers(5)
    let [comparedCount, singleTokenCount] = [0, 0]
    while (comparedCount < CASES) {
      const pool = randomPool(random)
      const { tickSpacing } = pool
      const maxTickOffset = random.of([2, 20, 200]) * tickSpacing
      const roundToTick = (tick: number) =>
        Math.max(-887_000, Math.min(887_000, Math.round(tick / tickSpacing) * tickSpacing))
      const tickLower = roundToTick(pool.tick - random.below(maxTickOffset) + Math.floor(maxTickOffset / 3))
      const tickUpper = roundToTick(tickLower + tickSpacing + random.below(maxTickOffset))
      if (tickLower >= tickUpper) continue
      const range = { lowerPriceX96: sqrtPriceX96AtTick(tickLower), upperPriceX96: sqrtPriceX96AtTick(tickUpper) }
      const zeroForOne = random.below(2) === 0
      const amount = BigInt(1 + random.below(MAX_AMOUNT))
      const simulateSplit = (forToken1: bigint): DepositSplit | { readonly tooMuchFor: 0 | 1 } => {
        const swappedAmount = zeroForOne ? forToken1 : amount - forToken1
        const token0Amount = amount - swappedAmount
        const outcome = swapConcentrated(pool, zeroForOne, swappedAmount, true)
        if (outcome._tag !== "Swapped") return { tooMuchFor: zeroForOne ? 1 : 0 }
        return {
          amounts: zeroForOne
            ? { amount0: token0Amount, amount1: outcome.amountOut }
            : { amount0: outcome.amountOut, amount1: token0Amount },
          sqrtPriceX96: outcome.poolAfter().sqrtPriceX96
        }
      }
      let maxLiquidity = -1n
      for (let forToken1 = 0n; forToken1 <= amount; forToken1 += 1n) {
        const split = simulateSplit(forToken1)
        if ("tooMuchFor" in split) continue
        const liquidity = liquidityForAmountsRoundingDown(split.sqrtPriceX96, range, split.amounts)
        if (liquidity > maxLiquidity) maxLiquidity = liquidity
      }
      const best = bestDepositSplit(amount, range, simulateSplit)
      assert.strictEqual(best?.liquidity ?? -1n, maxLiquidity, `${pool.id} ${tickLower} ${tickUpper} ${amount}`)
      comparedCount += 1
      if (best !== null && (best.forToken1 === 0n || best.forToken1 === amount)) singleTokenCount += 1
    }
    assert.isAbove(singleTokenCount, 20)
    assert.isBelow(singleTokenCount, CASES - 20)
  })

  it("returns null if no split is possible", () => {
    const range = { lowerPriceX96: sqrtPriceX96AtTick(-60), upperPriceX96: sqrtPriceX96AtTick(60) }
    assert.isNull(bestDepositSplit(100n, range, () => ({ tooMuchFor: 1 })))
  })
})

describe("The minimums of a mint", () => {
  const range = { lowerPriceX96: sqrtPriceX96AtTick(-6_000), upperPriceX96: sqrtPriceX96AtTick(6_000) }
  const price = sqrtPriceX96AtTick(0)
  const amounts = { amount0: 10n ** 18n, amount1: 10n ** 18n }

  it("are the amounts themselves if the slippage is zero", () => {
    assert.deepStrictEqual(pricesWithin(price, 0), { lowerPriceX96: price, upperPriceX96: price })
    const minimums = mintMinimums(range, pricesWithin(price, 0), amounts)
    assert.isTrue(minimums.amount0 <= amounts.amount0 && minimums.amount0 > amounts.amount0 - 100n)
    assert.isTrue(minimums.amount1 <= amounts.amount1 && minimums.amount1 > amounts.amount1 - 100n)
  })

  it("allow price changes within the slippage, but no larger ones", () => {
    const slippageMinimums = mintMinimums(range, pricesWithin(price, 0.5), amounts)
    const passes = (tick: number): boolean => {
      const minimums = mintMinimums(range, pricesWithin(sqrtPriceX96AtTick(tick), 0), amounts)
      return minimums.amount0 >= slippageMinimums.amount0 && minimums.amount1 >= slippageMinimums.amount1
    }
    // One tick is 0.01 %.
    for (const tick of [-49, -20, 0, 20, 49]) assert.isTrue(passes(tick), String(tick))
    for (const tick of [-60, 60]) assert.isFalse(passes(tick), String(tick))
  })

  it("of a burn are the amounts at the two ends of the range", () => {
    const minimums = burnMinimums(range, pricesWithin(price, 1), 10n ** 18n)
    const currentMinimums = burnMinimums(range, pricesWithin(price, 0), 10n ** 18n)
    assert.isTrue(minimums.amount0 < currentMinimums.amount0 && minimums.amount1 < currentMinimums.amount1)
  })
})
