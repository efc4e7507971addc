import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Amount, FeePips, Liquidity, SqrtPrice, Tick } from "./numbers.fixture.ts"
import {
  amount0DeltaRoundingDown,
  amount0DeltaRoundingUp,
  amount1DeltaRoundingDown,
  amount1DeltaRoundingUp,
  nextPriceFromInput,
  nextPriceFromOutput
} from "./sqrtPriceMath.ts"
import { swapStep } from "./swapStepByStep.fixture.ts"
import {
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
  sqrtPriceX96AtTick,
  tickAtSqrtPriceX96
} from "./tickMath.ts"

/** Invariants from the contracts' fuzz tests (Uniswap v3-core, contracts/test). */

describe("tickMath", () => {
  it("matches the published values at both ends and in the middle", () => {
    assert.strictEqual(sqrtPriceX96AtTick(MIN_TICK), MIN_SQRT_PRICE_X96)
    assert.strictEqual(sqrtPriceX96AtTick(MAX_TICK), MAX_SQRT_PRICE_X96)
    assert.strictEqual(sqrtPriceX96AtTick(0), 2n ** 96n)
  })

  it.prop(
    "increases strictly with the tick",
    { tick: Tick },
    ({ tick }) => tick === MAX_TICK || sqrtPriceX96AtTick(tick) < sqrtPriceX96AtTick(tick + 1)
  )

  it.prop("finds the tick of a price", { price: SqrtPrice }, ({ price }) => {
    const tick = tickAtSqrtPriceX96(price)
    return sqrtPriceX96AtTick(tick) <= price && price < sqrtPriceX96AtTick(tick + 1)
  })
})

const zeroForOneOf = (from: bigint, to: bigint) => from >= to

describe("sqrtPriceMath", () => {
  it.prop(
    "does not depend on the order of prices, and rounds up by at most one base unit",
    { a: SqrtPrice, b: SqrtPrice, liquidity: Liquidity },
    ({ a, b, liquidity }) => {
      const difference1 = amount1DeltaRoundingUp(a, b, liquidity) - amount1DeltaRoundingDown(a, b, liquidity)
      const difference0 = amount0DeltaRoundingUp(a, b, liquidity) - amount0DeltaRoundingDown(a, b, liquidity)
      return (
        amount0DeltaRoundingUp(a, b, liquidity) === amount0DeltaRoundingUp(b, a, liquidity) &&
        amount1DeltaRoundingDown(a, b, liquidity) === amount1DeltaRoundingDown(b, a, liquidity) &&
        (difference1 === 0n || difference1 === 1n) &&
        (difference0 === 0n || difference0 === 1n)
      )
    }
  )

  it.prop(
    "moves the price at most as far as the input pays for",
    { price: SqrtPrice, liquidity: Liquidity, amount: Amount, zeroForOne: Schema.Boolean },
    ({ amount, liquidity, price, zeroForOne }) => {
      const nextPrice = nextPriceFromInput(price, liquidity, amount, zeroForOne)
      return zeroForOne
        ? nextPrice <= price && amount >= amount0DeltaRoundingUp(nextPrice, price, liquidity)
        : nextPrice >= price && amount >= amount1DeltaRoundingUp(price, nextPrice, liquidity)
    }
  )

  it.prop(
    "moves the price at least as far as the output needs",
    { price: SqrtPrice, liquidity: Liquidity, amount: Amount, zeroForOne: Schema.Boolean },
    ({ amount, liquidity, price, zeroForOne }) => {
      const nextPrice = nextPriceFromOutput(price, liquidity, amount, zeroForOne)
      if (nextPrice === 0n || nextPrice >= MAX_SQRT_PRICE_X96) return true
      return zeroForOne
        ? nextPrice <= price && amount <= amount1DeltaRoundingDown(nextPrice, price, liquidity)
        : nextPrice >= price && amount <= amount0DeltaRoundingDown(price, nextPrice, liquidity)
    }
  )

  it.prop(
    "does not move the price for a zero amount",
    { price: SqrtPrice, liquidity: Liquidity },
    ({ liquidity, price }) =>
      [true, false].every(
        (zeroForOne) =>
          nextPriceFromInput(price, liquidity, 0n, zeroForOne) === price &&
          nextPriceFromOutput(price, liquidity, 0n, zeroForOne) === price
      )
  )
})

describe("swapStep", () => {
  it.prop(
    "ends at its target or uses the complete amount, and does nothing if it starts at its target",
    {
      price: SqrtPrice,
      target: SqrtPrice,
      liquidity: Liquidity,
      remaining: Amount,
      feePips: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999_999 })),
      exactIn: Schema.Boolean
    },
    ({ exactIn, feePips, liquidity, price, remaining, target }) => {
      const step = swapStep(price, target, liquidity, remaining, exactIn, BigInt(feePips))
      const usedAmount = exactIn ? step.amountIn + step.feeAmount : step.amountOut
      const isTowardTarget = zeroForOneOf(price, target)
        ? step.sqrtPriceX96 <= price && step.sqrtPriceX96 >= target
        : step.sqrtPriceX96 >= price && step.sqrtPriceX96 <= target
      const isUnmoved = step.amountIn === 0n && step.amountOut === 0n && step.feeAmount === 0n
      return (
        isTowardTarget &&
        usedAmount <= remaining &&
        (step.sqrtPriceX96 === target || usedAmount === remaining) &&
        (price !== target || (isUnmoved && step.sqrtPriceX96 === target))
      )
    }
  )

  it.prop(
    "uses at most the amount, and exactly the amount unless it reaches its target",
    { price: SqrtPrice, target: SqrtPrice, liquidity: Liquidity, remaining: Amount, feePips: FeePips },
    ({ feePips, liquidity, price, remaining, target }) => {
      const step = swapStep(price, target, liquidity, remaining, true, BigInt(feePips))
      const input = step.amountIn + step.feeAmount
      return input <= remaining && (step.sqrtPriceX96 === target || input === remaining)
    }
  )

  it.prop(
    "pays at most the requested amount, and moves toward the target without passing it",
    { price: SqrtPrice, target: SqrtPrice, liquidity: Liquidity, remaining: Amount, feePips: FeePips },
    ({ feePips, liquidity, price, remaining, target }) => {
      const step = swapStep(price, target, liquidity, remaining, false, BigInt(feePips))
      const isBetween =
        price >= target
          ? step.sqrtPriceX96 >= target && step.sqrtPriceX96 <= price
          : step.sqrtPriceX96 <= target && step.sqrtPriceX96 >= price
      return step.amountOut <= remaining && isBetween
    }
  )
})
