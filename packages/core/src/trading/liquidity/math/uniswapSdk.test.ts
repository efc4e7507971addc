import { assert, describe, it } from "@effect/vitest"
import { shortOrLong } from "../../../../test/support/longTests.ts"
import { maxBigInt, minBigInt } from "../../../foundation/primitives/index.ts"
import { type ConcentratedPool, NO_PROTOCOL_FEE } from "./ConcentratedPool.ts"
import { feeGrowthInside, feesEarnedRoundingDown } from "./feeGrowth.ts"
import {
  amountsForLiquidityRoundingDown,
  amountsForLiquidityRoundingUp,
  liquidityForAmountsRoundingDown
} from "./liquidityAmounts.ts"
import { maxLiquidityPerTick } from "./maxLiquidityPerTick.fixture.ts"
import { priceAtTick, tickAtPriceRoundingDown } from "./priceRange.ts"
import { type RandomNumbers, randomAmount, randomNumbers, randomPool } from "./randomPools.fixture.ts"
import {
  amount0DeltaRoundingDown,
  amount0DeltaRoundingUp,
  amount1DeltaRoundingDown,
  amount1DeltaRoundingUp,
  nextPriceFromInput
} from "./sqrtPriceMath.ts"
import { swapConcentrated } from "./swapConcentrated.ts"
import { swapStep } from "./swapStepByStep.fixture.ts"
import {
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
  sqrtPriceX96AtTick,
  tickAtSqrtPriceX96,
  usableTickEnds
} from "./tickMath.ts"
import { JSBI, sdkCore, v3Sdk } from "./uniswapSdk.fixture.ts"

/** Compares this math bit by bit with @uniswap/v3-sdk, an independent implementation. */

const CASES = shortOrLong(2_000, 10_000)
/** Number of cases for tests in which the SDK is slow. */
const FEWER_CASES = shortOrLong(800, 4_000)
const SWAPS = shortOrLong(400, 1_500)

const toJsbi = (value: bigint | number) => JSBI.BigInt(value.toString())
const toBigInt = (value: { toString(): string }) => BigInt(value.toString())

/** Returns any valid tick. Sometimes it is at an end of the valid range, or next to zero. */
const randomTick = (random: RandomNumbers): number =>
  random.below(20) === 0
    ? random.of([MIN_TICK, MIN_TICK + 1, -1, 0, 1, MAX_TICK - 1, MAX_TICK])
    : MIN_TICK + random.below(MAX_TICK - MIN_TICK + 1)

/** Returns a price of any magnitude, the price of a tick, or a price that differs from it by one. */
const randomPrice = (random: RandomNumbers): bigint => {
  const price = random.of([
    () => sqrtPriceX96AtTick(randomTick(random)) + random.of([-1n, 0n, 1n]),
    () => MIN_SQRT_PRICE_X96 + random.magnitude(160),
    () => random.of([MIN_SQRT_PRICE_X96, MAX_SQRT_PRICE_X96 - 1n])
  ])()
  return minBigInt(maxBigInt(price, MIN_SQRT_PRICE_X96), MAX_SQRT_PRICE_X96 - 1n)
}

const sortPair = (a: bigint, b: bigint): readonly [bigint, bigint] => (a < b ? [a, b] : [b, a])

const repeat = (count: number, check: (random: RandomNumbers) => void) => {
  const random = randomNumbers(count)
  for (let i = 0; i < count; i++) check(random)
}

describe("The math of this package equals @uniswap/v3-sdk", () => {
  it(`for ticks and prices in both directions, ${CASES} times`, () =>
    repeat(CASES, (random) => {
      const tick = randomTick(random)
      assert.strictEqual(sqrtPriceX96AtTick(tick), toBigInt(v3Sdk.TickMath.getSqrtRatioAtTick(tick)))
      const price = randomPrice(random)
      assert.strictEqual(tickAtSqrtPriceX96(price), v3Sdk.TickMath.getTickAtSqrtRatio(toJsbi(price)), `${price}`)
    }))

  it(`for amounts between two prices, and the price after an amount, ${FEWER_CASES} times`, () =>
    repeat(FEWER_CASES, (random) => {
      const [a, b, liquidity] = [randomPrice(random), randomPrice(random), random.magnitude(128)]
      const args = [toJsbi(a), toJsbi(b), toJsbi(liquidity)] as const
      const { SqrtPriceMath } = v3Sdk
      assert.strictEqual(
        amount0DeltaRoundingUp(a, b, liquidity),
        toBigInt(SqrtPriceMath.getAmount0Delta(...args, true))
      )
      assert.strictEqual(
        amount0DeltaRoundingDown(a, b, liquidity),
        toBigInt(SqrtPriceMath.getAmount0Delta(...args, false))
      )
      assert.strictEqual(
        amount1DeltaRoundingUp(a, b, liquidity),
        toBigInt(SqrtPriceMath.getAmount1Delta(...args, true))
      )
      assert.strictEqual(
        amount1DeltaRoundingDown(a, b, liquidity),
        toBigInt(SqrtPriceMath.getAmount1Delta(...args, false))
      )
      const [amount, zeroForOne] = [random.magnitude(150), random.below(2) === 0]
      if (liquidity === 0n) return
      assert.strictEqual(
        nextPriceFromInput(a, liquidity, amount, zeroForOne),
        toBigInt(SqrtPriceMath.getNextSqrtPriceFromInput(toJsbi(a), toJsbi(liquidity), toJsbi(amount), zeroForOne))
      )
    }))

  it(`for a step of a swap, ${CASES} times`, () =>
    repeat(CASES, (random) => {
      const [price, target] = [randomPrice(random), randomPrice(random)]
      const [liquidity, remaining] = [random.magnitude(127) + 1n, random.magnitude(random.of([20, 80, 150])) + 1n]
      const [feePips, exactIn] = [random.below(1_000_000), random.below(2) === 0]
      const step = swapStep(price, target, liquidity, remaining, exactIn, BigInt(feePips))
      const [sqrtPrice, amountIn, amountOut, feeAmount] = v3Sdk.SwapMath.computeSwapStep(
        toJsbi(price),
        toJsbi(target),
        toJsbi(liquidity),
        toJsbi(exactIn ? remaining : -remaining),
        feePips
      )
      assert.deepStrictEqual(step, {
        sqrtPriceX96: toBigInt(sqrtPrice),
        amountIn: toBigInt(amountIn),
        amountOut: toBigInt(amountOut),
        feeAmount: toBigInt(feeAmount)
      })
    }))

  it(`for liquidity and amounts of a position, ${FEWER_CASES} times`, () =>
    repeat(FEWER_CASES, (random) => {
      const [lowerPriceX96, upperPriceX96] = sortPair(randomPrice(random), randomPrice(random))
      if (lowerPriceX96 === upperPriceX96) return
      const range = { lowerPriceX96, upperPriceX96 }
      const price = randomPrice(random)
      const amounts = { amount0: random.magnitude(128), amount1: random.magnitude(128) }
      const liquidity = liquidityForAmountsRoundingDown(price, range, amounts)
      const priceBounds = [toJsbi(lowerPriceX96), toJsbi(upperPriceX96)] as const
      assert.strictEqual(
        liquidity,
        toBigInt(
          v3Sdk.maxLiquidityForAmounts(
            toJsbi(price),
            ...priceBounds,
            toJsbi(amounts.amount0),
            toJsbi(amounts.amount1),
            false
          )
        )
      )
      const { SqrtPriceMath } = v3Sdk
      const clampedPrice = toJsbi(minBigInt(maxBigInt(price, lowerPriceX96), upperPriceX96))
      for (const [amountsFor, roundUp] of [
        [amountsForLiquidityRoundingUp, true],
        [amountsForLiquidityRoundingDown, false]
      ] as const) {
        assert.deepStrictEqual(amountsFor(price, range, liquidity), {
          amount0: toBigInt(SqrtPriceMath.getAmount0Delta(clampedPrice, priceBounds[1], toJsbi(liquidity), roundUp)),
          amount1: toBigInt(SqrtPriceMath.getAmount1Delta(priceBounds[0], clampedPrice, toJsbi(liquidity), roundUp))
        })
      }
    }))

  it(`for the fee growth inside a range and the earned fees, ${FEWER_CASES} times`, () =>
    repeat(FEWER_CASES, (random) => {
      const randomGrowth = () => ({ feeGrowth0X128: random.bits(256), feeGrowth1X128: random.bits(256) })
      const sdkGrowthOf = ({ feeGrowth0X128, feeGrowth1X128 }: ReturnType<typeof randomGrowth>) => ({
        feeGrowthOutside0X128: toJsbi(feeGrowth0X128),
        feeGrowthOutside1X128: toJsbi(feeGrowth1X128)
      })
      const [low, high] = [randomTick(random), randomTick(random)].sort((a, b) => a - b)
      const [lower, upper] = [
        { index: low!, outside: randomGrowth() },
        { index: high!, outside: randomGrowth() }
      ]
      const [global, tick] = [randomGrowth(), random.of([randomTick(random), low!, high!])]
      const insideGrowth = feeGrowthInside(lower, upper, tick, global)
      const sdkInsideGrowth = v3Sdk.TickLibrary.getFeeGrowthInside(
        sdkGrowthOf(lower.outside),
        sdkGrowthOf(upper.outside),
        lower.index,
        upper.index,
        tick,
        toJsbi(global.feeGrowth0X128),
        toJsbi(global.feeGrowth1X128)
      )
      assert.deepStrictEqual([insideGrowth.feeGrowth0X128, insideGrowth.feeGrowth1X128], sdkInsideGrowth.map(toBigInt))
      // The SDK does not truncate owed amounts to 128 bits, so the test uses amounts that fit into 128 bits.
      const [growthDifference, liquidity] = [randomGrowth(), random.magnitude(100)]
      const lastGrowth = {
        feeGrowth0X128:
          (insideGrowth.feeGrowth0X128 - (growthDifference.feeGrowth0X128 >> 110n) + 2n ** 256n) % 2n ** 256n,
        feeGrowth1X128:
          (insideGrowth.feeGrowth1X128 - (growthDifference.feeGrowth1X128 >> 110n) + 2n ** 256n) % 2n ** 256n
      }
      const earnedFees = feesEarnedRoundingDown(insideGrowth, lastGrowth, liquidity)
      const owedFees = v3Sdk.PositionLibrary.getTokensOwed(
        toJsbi(lastGrowth.feeGrowth0X128),
        toJsbi(lastGrowth.feeGrowth1X128),
        toJsbi(liquidity),
        toJsbi(insideGrowth.feeGrowth0X128),
        toJsbi(insideGrowth.feeGrowth1X128)
      )
      assert.deepStrictEqual([earnedFees.amount0, earnedFees.amount1], owedFees.map(toBigInt))
    }))

  it("for the maximum liquidity per tick, with every tick spacing", () => {
    for (let spacing = 1; spacing <= 16_383; spacing += spacing < 300 ? 1 : 97) {
      const [lowest, highest] = usableTickEnds(spacing)
      assert.isTrue(
        lowest >= MIN_TICK && lowest - spacing < MIN_TICK && highest <= MAX_TICK && highest + spacing > MAX_TICK
      )
      assert.isTrue(maxLiquidityPerTick(spacing) * BigInt((highest - lowest) / spacing + 1) < 2n ** 128n)
    }
    // From Tick.spec.ts (v3-core).
    assert.strictEqual(maxLiquidityPerTick(10), 1917569901783203986719870431555990n)
    assert.strictEqual(maxLiquidityPerTick(60), 11505743598341114571880798222544994n)
    assert.strictEqual(maxLiquidityPerTick(200), 38350317471085141830651933667504588n)
  })

  it("for the price at a tick, of tokens of any decimals and in either order", () =>
    repeat(500, (random) => {
      const [decimals0, decimals1] = [random.below(25), random.below(25)]
      const [address0, address1] = [`0x${"1".repeat(40)}`, `0x${"2".repeat(40)}`]
      const token0 = new sdkCore.Token(1, address0, decimals0)
      const token1 = new sdkCore.Token(1, address1, decimals1)
      const tick = randomTick(random)
      for (const baseIsToken0 of [true, false]) {
        const [base, quote] = baseIsToken0 ? [token0, token1] : [token1, token0]
        const sdkPrice = v3Sdk.tickToPrice(base, quote, tick)
        const convention = { baseDecimals: base.decimals, quoteDecimals: quote.decimals, baseIsToken0 }
        const price = priceAtTick(tick, convention)
        const squaredPrice = sdkPrice.scalar.multiply(sdkPrice)
        assert.strictEqual(
          price.numerator * toBigInt(squaredPrice.denominator),
          toBigInt(squaredPrice.numerator) * price.denominator
        )
        // The inverse price is an exact fraction, so it converts back to the same tick.
        if (tick < MAX_TICK) assert.strictEqual(tickAtPriceRoundingDown(price, convention), tick)
      }
    }))

  it(`for ${SWAPS} swaps through complete pools, with exact inputs and exact outputs`, async () => {
    const random = randomNumbers(SWAPS)
    let comparedCount = 0
    let crossedTickCount = 0
    const sdkPoolOf = (pool: ConcentratedPool) => {
      const [token0, token1] = [pool.token0, pool.token1].map((address) => new sdkCore.Token(1, address, 18))
      const ticks = pool.ticks.map(({ index, liquidityNet }) => ({
        index,
        liquidityNet: liquidityNet.toString(),
        liquidityGross: (liquidityNet < 0n ? -liquidityNet : liquidityNet).toString()
      }))
      return new v3Sdk.Pool(
        token0!,
        token1!,
        pool.feePips,
        pool.sqrtPriceX96.toString(),
        pool.liquidity.toString(),
        pool.tick,
        new v3Sdk.TickListDataProvider(ticks, pool.tickSpacing)
      )
    }
    while (comparedCount < SWAPS) {
      // The SDK supports only the tick spacings of the standard fee tiers.
      const [feePips, tickSpacing] = random.of([
        [100, 1],
        [500, 10],
        [3_000, 60],
        [10_000, 200]
      ] as const)
      const candidatePool = randomPool(random)
      const isComparable = candidatePool.tickSpacing === tickSpacing && candidatePool.ticks.length > 1
      const isAtTick =
        candidatePool.sqrtPriceX96 >= sqrtPriceX96AtTick(candidatePool.tick) &&
        candidatePool.sqrtPriceX96 < sqrtPriceX96AtTick(candidatePool.tick + 1)
      if (
        !isComparable ||
        !isAtTick ||
        candidatePool.ticks.reduce((sum, { liquidityNet }) => sum + liquidityNet, 0n) !== 0n
      )
        continue
      const pool = { ...candidatePool, feePips, protocolFeePips: NO_PROTOCOL_FEE }
      const sdkPool = sdkPoolOf(pool)
      for (let i = 0; i < 8; i++) {
        const [zeroForOne, exactIn, amount] = [random.below(2) === 0, random.below(2) === 0, randomAmount(random) + 1n]
        const outcome = swapConcentrated(pool, zeroForOne, amount, exactIn)
        if (outcome._tag !== "Swapped") continue
        const currency = zeroForOne === exactIn ? sdkPool.token0 : sdkPool.token1
        const input = sdkCore.CurrencyAmount.fromRawAmount(currency, amount.toString())
        const [otherAmount, sdkPoolAfter] = await (exactIn
          ? sdkPool.getOutputAmount(input)
          : sdkPool.getInputAmount(input))
        assert.strictEqual(exactIn ? outcome.amountOut : outcome.amountIn, toBigInt(otherAmount.quotient))
        assert.strictEqual(outcome.poolAfter().sqrtPriceX96, toBigInt(sdkPoolAfter.sqrtRatioX96))
        assert.strictEqual(outcome.poolAfter().liquidity, toBigInt(sdkPoolAfter.liquidity))
        comparedCount += 1
        crossedTickCount += outcome.ticksCrossed
      }
    }
    assert.isAbove(crossedTickCount, SWAPS / 4)
  })
})
