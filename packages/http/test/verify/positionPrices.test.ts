import { createRequire } from "node:module"
import { ratioFromPercent } from "@countersign/core/foundation/primitives"
import {
  amountsForLiquidityRoundingDown,
  amountsForLiquidityRoundingUp,
  burnMinimums,
  mintMinimums,
  pricesWithin,
  sqrtPriceX96AtTick,
  tickRangeAround,
  usableTickEnds
} from "@countersign/core/trading/liquidity"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { minBurnAmounts, minMintAmounts, pricesOf } from "../../src/verify/liquidityMath.ts"
import { areTicksAround, areTicksNear, fractionOf, rootAt } from "../../src/verify/prices.ts"

/**
 * Compares the verifier's prices and amounts of positions with those of the service and of Uniswap. The verifier has
 * its own computation.
 */

const { TickMath }: typeof import("@uniswap/v3-sdk") = createRequire(import.meta.url)("@uniswap/v3-sdk")

const MAX_TICK = 887_272
const Tick = Schema.Int.check(Schema.isBetween({ minimum: -MAX_TICK, maximum: MAX_TICK }))
const NearTick = Schema.Int.check(Schema.isBetween({ minimum: -250_000, maximum: 250_000 }))
const Width = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 60_000 }))
const Liquidity = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 2n ** 80n }))
const Share = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))
const Slippage = Schema.Literals([0, 0.01, 0.5, 1, 12.5, 99])
const Significand = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 53 - 1 }))
const Exponent = Schema.Int.check(Schema.isBetween({ minimum: -40, maximum: 20 }))
const Decimals = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 24 }))
const FeeTier = Schema.Literals([100, 500, 3_000, 10_000])

const spacings = { 100: 1, 500: 10, 3000: 60, 10000: 200 } as const

describe("the ticks of a position", () => {
  it.prop("have the prices that Uniswap computes", { tick: Tick }, ({ tick }) => {
    return rootAt(tick) === BigInt(TickMath.getSqrtRatioAtTick(tick).toString())
  })

  it.prop(
    "are those to which the service rounds the requested prices, and no others",
    {
      a: Significand,
      b: Significand,
      baseDecimals: Decimals,
      baseIsToken0: Schema.Boolean,
      exponent: Exponent,
      fee: FeeTier,
      quoteDecimals: Decimals
    },
    ({ a, b, exponent, fee, ...convention }) => {
      const [minPrice, maxPrice] = [a, b].map((each) => each * 10 ** exponent).sort((x, y) => x - y) as [number, number]
      if (minPrice === maxPrice) return true
      const ratioOf = (price: number) => {
        const { denominator, numerator } = ratioFromPercent(price)
        return { numerator: numerator * 100n, denominator }
      }
      const spacing = spacings[fee]
      const ticks = tickRangeAround(ratioOf(minPrice), ratioOf(maxPrice), convention, spacing)
      const [lowest, highest] = usableTickEnds(spacing)
      // The service rejects a range outside of all prices.
      if (ticks.tickLower >= highest - spacing || ticks.tickUpper <= lowest + spacing) return true
      const isAround = (lower: number, upper: number) => {
        const shiftedTicks = { tickLower: ticks.tickLower + lower, tickUpper: ticks.tickUpper + upper }
        return areTicksAround(shiftedTicks, { minPrice, maxPrice }, convention, fee)
      }
      const otherRanges = [
        [spacing, 0],
        [-spacing, 0],
        [0, spacing],
        [0, -spacing],
        [1, 1]
      ] as const
      return (
        isAround(0, 0) && (spacing === 1 ? otherRanges.slice(0, 4) : otherRanges).every(([x, y]) => !isAround(x, y))
      )
    }
  )

  it("are the lowest and the highest for a range from zero to more than any price", () => {
    const convention = { baseDecimals: 18, quoteDecimals: 6, baseIsToken0: false }
    const requestedPrices = { minPrice: 0, maxPrice: 1e300 }
    assert.isTrue(areTicksAround({ tickLower: -887_220, tickUpper: 887_220 }, requestedPrices, convention, 3_000))
    assert.isFalse(areTicksAround({ tickLower: -887_220, tickUpper: 887_160 }, requestedPrices, convention, 3_000))
    assert.isTrue(areTicksNear({ tickLower: -887_220, tickUpper: 887_220 }, requestedPrices, convention, 3_000))
  })

  it("are exact for requested prices that are prices of ticks", () => {
    const convention = { baseDecimals: 6, quoteDecimals: 6, baseIsToken0: true }
    const isRangeAround = (tickLower: number, tickUpper: number, minPrice: number, maxPrice: number) =>
      areTicksAround({ tickLower, tickUpper }, { minPrice, maxPrice }, convention, 100)
    assert.isTrue(isRangeAround(0, 1, 1, 1.0001))
    assert.isFalse(isRangeAround(-1, 1, 1, 1.0001))
    assert.isFalse(isRangeAround(0, 2, 1, 1.0001))
    assert.isTrue(isRangeAround(-6932, 0, 0.5, 1))
    assert.isFalse(isRangeAround(-6932, 1, 0.5, 1))
  })

  it("match prices that are rounded for display", () => {
    const convention = { baseDecimals: 18, quoteDecimals: 6, baseIsToken0: false }
    const ticks = { tickLower: 194_400, tickUpper: 198_060 }
    assert.isTrue(areTicksNear(ticks, { minPrice: 2500, maxPrice: 3600 }, convention, 3_000))
    assert.isFalse(areTicksNear(ticks, { minPrice: 2450, maxPrice: 3600 }, convention, 3_000))
    assert.isFalse(areTicksNear(ticks, { minPrice: 2500, maxPrice: 3700 }, convention, 3_000))
    assert.isFalse(areTicksNear(ticks, { minPrice: 1 / 3600, maxPrice: 1 / 2500 }, convention, 3_000))
  })
})

/** A price range, and a price inside it or at its ends. */
const PositionSample = { liquidity: Liquidity, share: Share, tickLower: NearTick, width: Width }

const positionOf = ({ share, tickLower, width }: { share: number; tickLower: number; width: number }) => {
  const ticks = { tickLower, tickUpper: tickLower + width }
  const [lowerPriceX96, upperPriceX96] = [sqrtPriceX96AtTick(ticks.tickLower), sqrtPriceX96AtTick(ticks.tickUpper)]
  const price = lowerPriceX96 + ((upperPriceX96 - lowerPriceX96) * BigInt(share)) / 1_000_000n
  return { ticks, range: { lowerPriceX96, upperPriceX96 }, price }
}

describe("the amounts of a position", () => {
  it.prop("determine the price that they were computed with", PositionSample, ({ liquidity, ...sample }) => {
    const { price, range, ticks } = positionOf(sample)
    return [amountsForLiquidityRoundingDown, amountsForLiquidityRoundingUp].every((compute) => {
      const { amount0, amount1 } = compute(price, range, liquidity)
      const foundPrices = pricesOf(ticks, liquidity, [amount0, amount1])
      return foundPrices !== null && foundPrices[0] <= price && price <= foundPrices[1]
    })
  })

  it.prop("are rejected if one of them is wrong", PositionSample, ({ liquidity, ...sample }) => {
    const { price, range, ticks } = positionOf({ ...sample, share: 500_000 })
    const { amount0, amount1 } = amountsForLiquidityRoundingUp(price, range, liquidity)
    return amount0 < 1_000n || amount1 < 1_000n || pricesOf(ticks, liquidity, [amount0 * 2n, amount1]) === null
  })

  it.prop(
    "have the minimums that the service enforces, and slightly lower minimums are rejected",
    { ...PositionSample, slippage: Slippage },
    ({ liquidity, slippage, ...sample }) => {
      const { price, range, ticks } = positionOf(sample)
      const tolerablePrices = pricesWithin(price, slippage)
      const takenAmounts = amountsForLiquidityRoundingUp(price, range, liquidity)
      const givenAmounts = amountsForLiquidityRoundingDown(price, range, liquidity)
      const mintMinimum = mintMinimums(range, tolerablePrices, takenAmounts)
      const burnMinimum = burnMinimums(range, tolerablePrices, liquidity)
      const pairs = [
        { is: mintMinimum, of: takenAmounts, needed: minMintAmounts },
        { is: burnMinimum, of: givenAmounts, needed: minBurnAmounts }
      ] as const
      return pairs.every(({ is: minimums, needed: computeMinimum, of: computedAmounts }) => {
        const amounts = [computedAmounts.amount0, computedAmounts.amount1] as const
        const prices = pricesOf(ticks, liquidity, amounts)!
        const minAmounts =
          computeMinimum === minMintAmounts
            ? minMintAmounts(ticks, prices, fractionOf(slippage), amounts)
            : minBurnAmounts(ticks, prices, fractionOf(slippage), liquidity)
        const isMet = minimums.amount0 >= minAmounts[0] && minimums.amount1 >= minAmounts[1]
        const isPrecise = liquidity > 10n ** 9n && amounts.every((amount) => amount > 10n ** 6n) && slippage < 1
        const lostAmounts = [minimums.amount0 - minAmounts[0], minimums.amount1 - minAmounts[1]]
        return isMet && (!isPrecise || lostAmounts.every((each, i) => each <= 20n + amounts[i]! / 1_000_000n))
      })
    }
  )
})
