import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { Ratio } from "../../../foundation/primitives/index.ts"
import { feeGrowthInside, feesEarnedRoundingDown } from "./feeGrowth.ts"
import {
  amountsForLiquidityRoundingDown,
  amountsForLiquidityRoundingUp,
  liquidityForAmountsRoundingDown
} from "./liquidityAmounts.ts"
import { Amount, Liquidity, SqrtPrice, Tick } from "./numbers.fixture.ts"
import { priceAtTick, tickAtPriceRoundingDown, tickRangeAround } from "./priceRange.ts"
import { sqrtPriceX96AtTick, usableTickEnds } from "./tickMath.ts"

describe("A position", () => {
  const PositionInput = { a: Tick, b: Tick, price: SqrtPrice, liquidity: Liquidity }
  const rangeOf = (a: number, b: number) => ({
    lowerPriceX96: sqrtPriceX96AtTick(Math.min(a, b)),
    upperPriceX96: sqrtPriceX96AtTick(Math.max(a, b))
  })

  it.prop("holds only one token if the price is outside its range", PositionInput, ({ a, b, liquidity, price }) => {
    const range = rangeOf(a, b)
    const { amount0, amount1 } = amountsForLiquidityRoundingUp(price, range, liquidity)
    return (price < range.upperPriceX96 || amount0 === 0n) && (price > range.lowerPriceX96 || amount1 === 0n)
  })

  it.prop(
    "costs at least what it returns, and at most one base unit more of each token",
    PositionInput,
    ({ a, b, liquidity, price }) => {
      const amountsIn = amountsForLiquidityRoundingUp(price, rangeOf(a, b), liquidity)
      const amountsOut = amountsForLiquidityRoundingDown(price, rangeOf(a, b), liquidity)
      const differences = [amountsIn.amount0 - amountsOut.amount0, amountsIn.amount1 - amountsOut.amount1]
      return differences.every((difference) => difference === 0n || difference === 1n)
    }
  )

  it.prop(
    "mints no more liquidity than its amounts can pay for",
    { ...PositionInput, amount0: Amount, amount1: Amount },
    ({ a, amount0, amount1, b, price }) => {
      if (a === b) return true
      const liquidity = liquidityForAmountsRoundingDown(price, rangeOf(a, b), { amount0, amount1 })
      const amountsIn = amountsForLiquidityRoundingUp(price, rangeOf(a, b), liquidity)
      return amountsIn.amount0 <= amount0 && amountsIn.amount1 <= amount1
    }
  )

  const Price = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 10n ** 24n }))
  it.prop(
    "encloses the requested prices, in any order and for any tokens",
    {
      one: Price,
      other: Price,
      scale: Price,
      baseDecimals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 24 })),
      quoteDecimals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 24 })),
      baseIsToken0: Schema.Boolean,
      tickSpacing: Schema.Literals([1, 10, 60, 200])
    },
    ({ baseDecimals, baseIsToken0, one, other, quoteDecimals, scale, tickSpacing }) => {
      const convention = { baseDecimals, quoteDecimals, baseIsToken0 }
      const prices = [one, other].map((numerator) => ({ numerator, denominator: scale })) as [Ratio, Ratio]
      const range = tickRangeAround(prices[0], prices[1], convention, tickSpacing)
      const { tickLower, tickUpper } = range
      const [lowest, highest] = usableTickEnds(tickSpacing)
      const isUsable = tickLower % tickSpacing === 0 && tickUpper % tickSpacing === 0 && tickLower < tickUpper
      const boundPrices = [tickLower, tickUpper].map((tick) => priceAtTick(tick, convention))
      const [low, high] = baseIsToken0 ? boundPrices : boundPrices.toReversed()
      const isAtMost = (a: Ratio, b: Ratio) => a.numerator * b.denominator <= b.numerator * a.denominator
      const isInsideLimits = tickLower > lowest && tickUpper < highest
      const reversedRange = tickRangeAround(prices[1], prices[0], convention, tickSpacing)
      return (
        isUsable &&
        tickLower >= lowest &&
        tickUpper <= highest &&
        reversedRange.tickLower === tickLower &&
        reversedRange.tickUpper === tickUpper &&
        (!isInsideLimits || prices.every((price) => isAtMost(low!, price) && isAtMost(price, high!)))
      )
    }
  )

  it("keeps its ticks if the range is computed from the prices of these ticks", () => {
    const convention = { baseDecimals: 18, quoteDecimals: 6, baseIsToken0: false }
    const boundPrices = [-201_240, -198_300].map((tick) => priceAtTick(tick, convention)) as [Ratio, Ratio]
    assert.deepStrictEqual(tickRangeAround(boundPrices[0], boundPrices[1], convention, 60), {
      tickLower: -201_240,
      tickUpper: -198_300
    })
    // 1 WETH costs 3,000 USDC. The pool has USDC as token0 and WETH as token1.
    const price = { numerator: 3_000n, denominator: 1n }
    assert.strictEqual(tickAtPriceRoundingDown(price, convention), 196_256)
  })
})

describe("Fees inside a range", () => {
  it("wrap around as in the contract", () => {
    const growthOf = (value: bigint) => ({ feeGrowth0X128: value, feeGrowth1X128: value })
    const maxUint256 = 2n ** 256n - 1n
    const insideGrowth = feeGrowthInside(
      { index: -10, outside: growthOf(maxUint256 - 3n) },
      { index: 10, outside: growthOf(0n) },
      0,
      growthOf(15n)
    )
    // From Tick.spec.ts (v3-core): "works correctly with overflow on inside tick".
    assert.strictEqual(insideGrowth.feeGrowth0X128, 19n)
    assert.deepStrictEqual(feesEarnedRoundingDown(growthOf(1n), growthOf(maxUint256), 2n ** 127n), {
      amount0: 1n,
      amount1: 1n
    })
  })
})
