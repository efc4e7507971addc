import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Address } from "../../../foundation/primitives/index.ts"
import { type ConcentratedPool, NO_PROTOCOL_FEE, nextTickWithinWord, swapFeePips } from "./ConcentratedPool.ts"
import type { ConstantProductPool } from "./ConstantProductPool.ts"
import { Amount } from "./numbers.fixture.ts"
import { swapThrough } from "./Pool.ts"

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
  it("returns the next initialized tick, or the end of the word", () => {
    assert.deepStrictEqual(nextTickWithinWord(pool, 0, false), { index: 600, liquidityNet: -(10n ** 18n) })
    assert.deepStrictEqual(nextTickWithinWord(pool, 600, false), { index: 255 * 60, liquidityNet: null })
    assert.deepStrictEqual(nextTickWithinWord(pool, 0, true), { index: 0, liquidityNet: null })
    assert.deepStrictEqual(nextTickWithinWord(pool, -1, true), { index: -600, liquidityNet: 10n ** 18n })
  })

  it.prop(
    "stays within a word, advances, and skips no initialized tick",
    { tick: Schema.Int.check(Schema.isBetween({ minimum: -15_360, maximum: 15_299 })), zeroForOne: Schema.Boolean },
    ({ tick, zeroForOne }) => {
      const nextTick = nextTickWithinWord(pool, tick, zeroForOne)
      // The last tick that was read has no next tick.
      if (nextTick === null) return !zeroForOne && Math.floor(tick / 60) === 255
      const isSkipped = (index: number) =>
        zeroForOne ? index <= tick && index > nextTick.index : index > tick && index < nextTick.index
      return (
        (zeroForOne ? nextTick.index <= tick : nextTick.index > tick) &&
        Math.abs(nextTick.index - tick) <= 256 * pool.tickSpacing &&
        !pool.ticks.some(({ index }) => isSkipped(index)) &&
        (nextTick.liquidityNet !== null) === pool.ticks.some(({ index }) => index === nextTick.index)
      )
    }
  )

  it("returns null for words that were not read", () => {
    assert.strictEqual(nextTickWithinWord(pool, 256 * 60, false), null)
  })
})

describe("swapThrough", () => {
  it.prop("returns at most the input after a swap in both directions", { amount: Amount }, ({ amount }) => {
    const forwardSwap = swapThrough(pool, true, amount, true)
    if (forwardSwap._tag !== "Swapped") return true
    const backwardSwap = swapThrough(forwardSwap.poolAfter(), false, forwardSwap.amountOut, true)
    return backwardSwap._tag !== "Swapped" || backwardSwap.amountOut <= amount
  })

  it.prop(
    "returns an input that buys at least the exact output",
    { amount: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 10n ** 16n })) },
    ({ amount }) => {
      const exactOut = swapThrough(pool, true, amount, false)
      if (exactOut._tag !== "Swapped") return false
      const exactIn = swapThrough(pool, true, exactOut.amountIn, true)
      return exactIn._tag === "Swapped" && exactIn.amountOut >= amount
    }
  )

  it("returns the missing bitmap word if it needs unread ticks", () => {
    const outcome = swapThrough(pool, true, 10n ** 24n, true)
    assert.deepStrictEqual(outcome, { _tag: "TicksMissing", word: -2 })
  })
})

describe("swapFeePips", () => {
  it("charges the pool's fee on the amount after the protocol fee, by direction", () => {
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

describe("swapThrough a constant-product pair", () => {
  const Reserve = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 2n ** 111n }))
  const Fee = Schema.Literals([997n, 998n, 9_975n])
  const pairOf = (reserve0: bigint, reserve1: bigint, feeNumerator: bigint): ConstantProductPool => ({
    ...pair,
    reserve0,
    reserve1,
    feeNumerator,
    feeDenominator: feeNumerator === 9_975n ? 10_000n : 1_000n
  })

  it("returns Router02's output", () => {
    // From UniswapV2Router01.spec.ts: getAmountOut(2, 100, 100) = 1, getAmountIn(1, 100, 100) = 2.
    const smallPair = pairOf(100n, 100n, 997n)
    const forward = swapThrough(smallPair, true, 2n, true)
    assert.strictEqual(forward._tag === "Swapped" ? forward.amountOut : null, 1n)
    const backward = swapThrough(smallPair, true, 1n, false)
    assert.strictEqual(backward._tag === "Swapped" ? backward.amountIn : null, 2n)
  })

  it.prop(
    "satisfies the pair's invariant after the fee, for exact inputs and outputs in both directions",
    {
      reserve0: Reserve,
      reserve1: Reserve,
      amount: Amount,
      fee: Fee,
      zeroForOne: Schema.Boolean,
      exactIn: Schema.Boolean
    },
    ({ amount, exactIn, fee, reserve0, reserve1, zeroForOne }) => {
      const pairBefore = pairOf(reserve0, reserve1, fee)
      const outcome = swapThrough(pairBefore, zeroForOne, amount, exactIn)
      if (outcome._tag !== "Swapped") return !exactIn
      const pairAfter = outcome.poolAfter()
      if (pairAfter._tag !== "ConstantProduct") return false
      const { feeDenominator, feeNumerator } = pairBefore
      const feeOf = (inputAmount: bigint) => inputAmount * (feeDenominator - feeNumerator)
      const [fee0, fee1] = zeroForOne ? [feeOf(outcome.amountIn), 0n] : [0n, feeOf(outcome.amountIn)]
      // UniswapV2Pair.swap: the product of the balances after the fee must not decrease.
      return (
        (pairAfter.reserve0 * feeDenominator - fee0) * (pairAfter.reserve1 * feeDenominator - fee1) >=
        reserve0 * reserve1 * feeDenominator ** 2n
      )
    }
  )

  it("rejects outputs above the reserves, and reserves above 112 bits", () => {
    assert.strictEqual(swapThrough(pair, true, pair.reserve1, false)._tag, "InsufficientLiquidity")
    assert.strictEqual(swapThrough(pair, true, 2n ** 112n - pair.reserve0, true)._tag, "InsufficientLiquidity")
    assert.strictEqual(swapThrough(pair, true, 2n ** 112n - 1n - pair.reserve0, true)._tag, "Swapped")
    assert.strictEqual(swapThrough({ ...pair, reserve1: 0n }, true, 1n, true)._tag, "InsufficientLiquidity")
  })
})
