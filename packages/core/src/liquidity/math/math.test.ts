import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Address, type Ratio } from "../../primitives/index.ts"
import { type ConcentratedPool, NO_PROTOCOL_FEE, nextTickWithinWord, swapFeePips } from "./ConcentratedPool.ts"
import type { ConstantProductPool } from "./ConstantProductPool.ts"
import { feeGrowthInside, feesEarnedRoundingDown } from "./feeGrowth.ts"
import {
  amountsForLiquidityRoundingDown,
  amountsForLiquidityRoundingUp,
  liquidityForAmountsRoundingDown
} from "./liquidityAmounts.ts"
import { liquidityWithDelta, usableTickEnds } from "./liquidityMath.ts"
import { swapThrough, swapToMarginalOutput } from "./Pool.ts"
import { priceAtTick, tickAtPriceRoundingDown, tickRangeAround } from "./priceRange.ts"
import {
  amount0DeltaRoundingDown,
  amount0DeltaRoundingUp,
  amount1DeltaRoundingDown,
  amount1DeltaRoundingUp,
  nextPriceFromInput,
  nextPriceFromOutput
} from "./sqrtPriceMath.ts"
import { swapStep } from "./swapMath.ts"
import {
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
  sqrtPriceX96AtTick,
  tickAtSqrtPriceX96
} from "./tickMath.ts"

/** Invariants of the contracts' own fuzz suites (Uniswap v3-core, contracts/test), on our math. */

const Tick = Schema.Int.check(Schema.isBetween({ minimum: MIN_TICK, maximum: MAX_TICK }))
const SqrtPrice = Schema.BigInt.check(
  Schema.isBetweenBigInt({ minimum: MIN_SQRT_PRICE_X96, maximum: MAX_SQRT_PRICE_X96 - 1n })
)
const Liquidity = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 2n ** 112n }))
const Amount = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 2n ** 96n }))
const FeePips = Schema.Literals([100, 500, 3_000, 10_000])

describe("tickMath", () => {
  it("meets the published ends and the middle", () => {
    assert.strictEqual(sqrtPriceX96AtTick(MIN_TICK), MIN_SQRT_PRICE_X96)
    assert.strictEqual(sqrtPriceX96AtTick(MAX_TICK), MAX_SQRT_PRICE_X96)
    assert.strictEqual(sqrtPriceX96AtTick(0), 2n ** 96n)
  })

  it.prop(
    "rises strictly with the tick",
    { tick: Tick },
    ({ tick }) => tick === MAX_TICK || sqrtPriceX96AtTick(tick) < sqrtPriceX96AtTick(tick + 1)
  )

  it.prop("finds the tick that a price lies in", { price: SqrtPrice }, ({ price }) => {
    const tick = tickAtSqrtPriceX96(price)
    return sqrtPriceX96AtTick(tick) <= price && price < sqrtPriceX96AtTick(tick + 1)
  })
})

const zeroForOneOf = (from: bigint, to: bigint) => from >= to

describe("sqrtPriceMath", () => {
  it.prop(
    "does not mind the order of prices, and rounds up by one unit at most",
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
    "moves the price by an input no further than the input pays for",
    { price: SqrtPrice, liquidity: Liquidity, amount: Amount, zeroForOne: Schema.Boolean },
    ({ amount, liquidity, price, zeroForOne }) => {
      const next = nextPriceFromInput(price, liquidity, amount, zeroForOne)
      return zeroForOne
        ? next <= price && amount >= amount0DeltaRoundingUp(next, price, liquidity)
        : next >= price && amount >= amount1DeltaRoundingUp(price, next, liquidity)
    }
  )

  it.prop(
    "moves the price by an output at least as far as the output needs",
    { price: SqrtPrice, liquidity: Liquidity, amount: Amount, zeroForOne: Schema.Boolean },
    ({ amount, liquidity, price, zeroForOne }) => {
      const next = nextPriceFromOutput(price, liquidity, amount, zeroForOne)
      if (next === 0n || next >= MAX_SQRT_PRICE_X96) return true
      return zeroForOne
        ? next <= price && amount <= amount1DeltaRoundingDown(next, price, liquidity)
        : next >= price && amount <= amount0DeltaRoundingDown(price, next, liquidity)
    }
  )

  it.prop("leaves the price for nothing", { price: SqrtPrice, liquidity: Liquidity }, ({ liquidity, price }) =>
    [true, false].every(
      (zeroForOne) =>
        nextPriceFromInput(price, liquidity, 0n, zeroForOne) === price &&
        nextPriceFromOutput(price, liquidity, 0n, zeroForOne) === price
    )
  )
})

describe("swapStep", () => {
  it.prop(
    "ends at its target or uses all of the amount, and does nothing where it starts at its target",
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
      const used = exactIn ? step.amountIn + step.feeAmount : step.amountOut
      const toward = zeroForOneOf(price, target)
        ? step.sqrtPriceX96 <= price && step.sqrtPriceX96 >= target
        : step.sqrtPriceX96 >= price && step.sqrtPriceX96 <= target
      const still = step.amountIn === 0n && step.amountOut === 0n && step.feeAmount === 0n
      return (
        toward &&
        used <= remaining &&
        (step.sqrtPriceX96 === target || used === remaining) &&
        (price !== target || (still && step.sqrtPriceX96 === target))
      )
    }
  )

  it.prop(
    "takes no more than is there, and not a unit less unless it reaches its target",
    { price: SqrtPrice, target: SqrtPrice, liquidity: Liquidity, remaining: Amount, feePips: FeePips },
    ({ feePips, liquidity, price, remaining, target }) => {
      const step = swapStep(price, target, liquidity, remaining, true, BigInt(feePips))
      const taken = step.amountIn + step.feeAmount
      return taken <= remaining && (step.sqrtPriceX96 === target || taken === remaining)
    }
  )

  it.prop(
    "gives no more than is asked for, and moves toward the target without passing it",
    { price: SqrtPrice, target: SqrtPrice, liquidity: Liquidity, remaining: Amount, feePips: FeePips },
    ({ feePips, liquidity, price, remaining, target }) => {
      const step = swapStep(price, target, liquidity, remaining, false, BigInt(feePips))
      const between =
        price >= target
          ? step.sqrtPriceX96 >= target && step.sqrtPriceX96 <= price
          : step.sqrtPriceX96 <= target && step.sqrtPriceX96 >= price
      return step.amountOut <= remaining && between
    }
  )
})

const pool: ConcentratedPool = {
  _tag: "Concentrated",
  id: `0x${"1".repeat(40)}`,
  token0: Address.make(`0x${"2".repeat(40)}`),
  token1: Address.make(`0x${"3".repeat(40)}`),
  feePips: 3_000,
  protocolFeePips: NO_PROTOCOL_FEE,
  tickSpacing: 60,
  sqrtPriceX96: 2n ** 96n,
  tick: 0,
  liquidity: 10n ** 18n,
  ticks: [
    { index: -600, liquidityNet: 10n ** 18n },
    { index: 600, liquidityNet: -(10n ** 18n) }
  ],
  firstWord: -1,
  lastWord: 0
}

describe("nextTickWithinWord", () => {
  it("finds the initialized tick, else the end of the word", () => {
    assert.deepStrictEqual(nextTickWithinWord(pool, 0, false), { index: 600, liquidityNet: -(10n ** 18n) })
    assert.deepStrictEqual(nextTickWithinWord(pool, 600, false), { index: 255 * 60, liquidityNet: null })
    assert.deepStrictEqual(nextTickWithinWord(pool, 0, true), { index: 0, liquidityNet: null })
    assert.deepStrictEqual(nextTickWithinWord(pool, -1, true), { index: -600, liquidityNet: 10n ** 18n })
  })

  it.prop(
    "stays within a word, moves on, and passes no initialized tick",
    { tick: Schema.Int.check(Schema.isBetween({ minimum: -15_360, maximum: 15_299 })), zeroForOne: Schema.Boolean },
    ({ tick, zeroForOne }) => {
      const next = nextTickWithinWord(pool, tick, zeroForOne)
      // A tick at the end of what was read leads beyond it.
      if (next === null) return !zeroForOne && Math.floor(tick / 60) === 255
      const isPassed = (index: number) =>
        zeroForOne ? index <= tick && index > next.index : index > tick && index < next.index
      return (
        (zeroForOne ? next.index <= tick : next.index > tick) &&
        Math.abs(next.index - tick) <= 256 * pool.tickSpacing &&
        !pool.ticks.some(({ index }) => isPassed(index)) &&
        (next.liquidityNet !== null) === pool.ticks.some(({ index }) => index === next.index)
      )
    }
  )

  it("knows nothing of words that were not read", () => {
    assert.strictEqual(nextTickWithinWord(pool, 256 * 60, false), null)
  })
})

describe("swapThrough", () => {
  it.prop("gives back no more than was put in", { amount: Amount }, ({ amount }) => {
    const there = swapThrough(pool, true, amount, true)
    if (there._tag !== "Swapped") return true
    const back = swapThrough(there.poolAfter(), false, there.amountOut, true)
    return back._tag !== "Swapped" || back.amountOut <= amount
  })

  it.prop(
    "asks for an input that buys at least the exact output",
    { amount: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 10n ** 16n })) },
    ({ amount }) => {
      const exactOut = swapThrough(pool, true, amount, false)
      if (exactOut._tag !== "Swapped") return false
      const exactIn = swapThrough(pool, true, exactOut.amountIn, true)
      return exactIn._tag === "Swapped" && exactIn.amountOut >= amount
    }
  )

  it("says which word is missing when it leaves what was read", () => {
    const outcome = swapThrough(pool, true, 10n ** 24n, true)
    assert.deepStrictEqual(outcome, { _tag: "TicksMissing", word: -2 })
  })
})

describe("a position", () => {
  const Range = { a: Tick, b: Tick, price: SqrtPrice, liquidity: Liquidity }
  const rangeOf = (a: number, b: number) => ({
    lowerPriceX96: sqrtPriceX96AtTick(Math.min(a, b)),
    upperPriceX96: sqrtPriceX96AtTick(Math.max(a, b))
  })

  it.prop("has one token alone outside of its range", Range, ({ a, b, liquidity, price }) => {
    const range = rangeOf(a, b)
    const { amount0, amount1 } = amountsForLiquidityRoundingUp(price, range, liquidity)
    return (price < range.upperPriceX96 || amount0 === 0n) && (price > range.lowerPriceX96 || amount1 === 0n)
  })

  it.prop(
    "takes no less than it gives back, and at most a unit more of each token",
    Range,
    ({ a, b, liquidity, price }) => {
      const taken = amountsForLiquidityRoundingUp(price, rangeOf(a, b), liquidity)
      const given = amountsForLiquidityRoundingDown(price, rangeOf(a, b), liquidity)
      const differences = [taken.amount0 - given.amount0, taken.amount1 - given.amount1]
      return differences.every((difference) => difference === 0n || difference === 1n)
    }
  )

  it.prop(
    "has liquidity that its amounts can pay",
    { ...Range, amount0: Amount, amount1: Amount },
    ({ a, amount0, amount1, b, price }) => {
      if (a === b) return true
      const liquidity = liquidityForAmountsRoundingDown(price, rangeOf(a, b), { amount0, amount1 })
      const taken = amountsForLiquidityRoundingUp(price, rangeOf(a, b), liquidity)
      return taken.amount0 <= amount0 && taken.amount1 <= amount1
    }
  )

  it("has liquidity between nothing and what 128 bits hold", () => {
    assert.strictEqual(liquidityWithDelta(5n, -5n), 0n)
    assert.strictEqual(liquidityWithDelta(5n, -6n), null)
    assert.strictEqual(liquidityWithDelta(2n ** 128n - 1n, 0n), 2n ** 128n - 1n)
    assert.strictEqual(liquidityWithDelta(2n ** 128n - 1n, 1n), null)
  })

  const Price = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 10n ** 24n }))
  it.prop(
    "lies around the prices that were asked for, in any order and of any tokens",
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
      const asked = [one, other].map((numerator) => ({ numerator, denominator: scale })) as [Ratio, Ratio]
      const range = tickRangeAround(asked[0], asked[1], convention, tickSpacing)
      const { tickLower, tickUpper } = range
      const [lowest, highest] = usableTickEnds(tickSpacing)
      const isUsable = tickLower % tickSpacing === 0 && tickUpper % tickSpacing === 0 && tickLower < tickUpper
      const ends = [tickLower, tickUpper].map((tick) => priceAtTick(tick, convention))
      const [low, high] = baseIsToken0 ? ends : ends.toReversed()
      const atMost = (a: Ratio, b: Ratio) => a.numerator * b.denominator <= b.numerator * a.denominator
      const isOpen = tickLower > lowest && tickUpper < highest
      const swapped = tickRangeAround(asked[1], asked[0], convention, tickSpacing)
      return (
        isUsable &&
        tickLower >= lowest &&
        tickUpper <= highest &&
        swapped.tickLower === tickLower &&
        swapped.tickUpper === tickUpper &&
        (!isOpen || asked.every((price) => atMost(low!, price) && atMost(price, high!)))
      )
    }
  )

  it("keeps the ticks of a range that was made of their own prices", () => {
    const convention = { baseDecimals: 18, quoteDecimals: 6, baseIsToken0: false }
    const ends = [-201_240, -198_300].map((tick) => priceAtTick(tick, convention)) as [Ratio, Ratio]
    assert.deepStrictEqual(tickRangeAround(ends[0], ends[1], convention, 60), {
      tickLower: -201_240,
      tickUpper: -198_300
    })
    // 1 WETH for 3,000 USDC, in the pool of USDC (token0) and WETH.
    const price = { numerator: 3_000n, denominator: 1n }
    assert.strictEqual(tickAtPriceRoundingDown(price, convention), 196_256)
  })
})

describe("fees inside of a range", () => {
  it("wrap as the contract's numbers do", () => {
    const growth = (value: bigint) => ({ feeGrowth0X128: value, feeGrowth1X128: value })
    const most = 2n ** 256n - 1n
    const inside = feeGrowthInside(
      { index: -10, outside: growth(most - 3n) },
      { index: 10, outside: growth(0n) },
      0,
      growth(15n)
    )
    // Tick.spec.ts of v3-core: works correctly with overflow on inside tick.
    assert.strictEqual(inside.feeGrowth0X128, 19n)
    assert.deepStrictEqual(feesEarnedRoundingDown(growth(1n), growth(most), 2n ** 127n), { amount0: 1n, amount1: 1n })
  })
})

describe("swapFeePips", () => {
  it("takes the pool's fee of what the protocol's leaves, by direction", () => {
    const v4Pool = { ...pool, protocolFeePips: { zeroForOne: 1_000, oneForZero: 700 } }
    assert.strictEqual(swapFeePips(pool, true), 3_000)
    assert.strictEqual(swapFeePips(v4Pool, true), 3_997)
    assert.strictEqual(swapFeePips(v4Pool, false), 3_698)
  })
})

const pair: ConstantProductPool = {
  _tag: "ConstantProduct",
  id: `0x${"4".repeat(40)}`,
  token0: pool.token0,
  token1: pool.token1,
  reserve0: 10n ** 21n,
  reserve1: 3n * 10n ** 12n,
  feeNumerator: 997n,
  feeDenominator: 1_000n
}

describe("swapThrough a pair of constant product", () => {
  const Reserve = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 2n ** 111n }))
  const Fee = Schema.Literals([997n, 998n, 9_975n])
  const pairOf = (reserve0: bigint, reserve1: bigint, feeNumerator: bigint): ConstantProductPool => ({
    ...pair,
    reserve0,
    reserve1,
    feeNumerator,
    feeDenominator: feeNumerator === 9_975n ? 10_000n : 1_000n
  })

  it("gives what Router02 gives", () => {
    // UniswapV2Router01.spec.ts: getAmountOut(2, 100, 100) = 1, getAmountIn(1, 100, 100) = 2.
    const small = pairOf(100n, 100n, 997n)
    const given = swapThrough(small, true, 2n, true)
    assert.strictEqual(given._tag === "Swapped" ? given.amountOut : null, 1n)
    const taken = swapThrough(small, true, 1n, false)
    assert.strictEqual(taken._tag === "Swapped" ? taken.amountIn : null, 2n)
  })

  it.prop(
    "keeps the pair's own condition after the fee, in either mode and direction",
    {
      reserve0: Reserve,
      reserve1: Reserve,
      amount: Amount,
      fee: Fee,
      zeroForOne: Schema.Boolean,
      exactIn: Schema.Boolean
    },
    ({ amount, exactIn, fee, reserve0, reserve1, zeroForOne }) => {
      const before = pairOf(reserve0, reserve1, fee)
      const outcome = swapThrough(before, zeroForOne, amount, exactIn)
      if (outcome._tag !== "Swapped") return !exactIn
      const after = outcome.poolAfter()
      if (after._tag !== "ConstantProduct") return false
      const { feeDenominator, feeNumerator } = before
      const feeOf = (taken: bigint) => taken * (feeDenominator - feeNumerator)
      const [fee0, fee1] = zeroForOne ? [feeOf(outcome.amountIn), 0n] : [0n, feeOf(outcome.amountIn)]
      // UniswapV2Pair.swap: balances less the fee must not have a smaller product.
      return (
        (after.reserve0 * feeDenominator - fee0) * (after.reserve1 * feeDenominator - fee1) >=
        reserve0 * reserve1 * feeDenominator ** 2n
      )
    }
  )

  it.prop(
    "is brought to a slope by the largest amount whose last bit still gives as much",
    {
      reserve0: Reserve,
      reserve1: Reserve,
      fee: Fee,
      percent: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 120 }))
    },
    ({ fee, percent, reserve0, reserve1 }) => {
      const before = pairOf(reserve0, reserve1, fee)
      const start = swapThrough(before, true, 0n, true)
      if (start._tag !== "Swapped") return false
      const { denominator, numerator } = start.marginalOutput()
      const asked = { numerator: numerator * BigInt(percent), denominator: denominator * 100n }
      const outcome = swapToMarginalOutput(before, true, asked)
      if (outcome._tag !== "Swapped") return outcome._tag === "InsufficientLiquidity"
      const gives = ({ denominator, numerator }: Ratio) =>
        numerator * asked.denominator >= asked.numerator * denominator
      const further = swapThrough(before, true, outcome.amountIn + 1n, true)
      return percent > 100
        ? outcome.amountIn === 0n
        : gives(outcome.marginalOutput()) && (further._tag !== "Swapped" || !gives(further.marginalOutput()))
    }
  )

  it("refuses what it has not, and what its 112 bits can't hold", () => {
    assert.strictEqual(swapThrough(pair, true, pair.reserve1, false)._tag, "InsufficientLiquidity")
    assert.strictEqual(swapThrough(pair, true, 2n ** 112n - pair.reserve0, true)._tag, "InsufficientLiquidity")
    assert.strictEqual(swapThrough(pair, true, 2n ** 112n - 1n - pair.reserve0, true)._tag, "Swapped")
    assert.strictEqual(swapThrough({ ...pair, reserve1: 0n }, true, 1n, true)._tag, "InsufficientLiquidity")
  })
})
