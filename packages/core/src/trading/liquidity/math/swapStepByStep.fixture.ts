import { maxBigInt, minBigInt, mulDivRoundingUp } from "../../../foundation/primitives/index.ts"
import { type ConcentratedPool, nextTickWithinWord, swapFeePips, tickToWord } from "./ConcentratedPool.ts"
import type { SwapOutcome } from "./SwapOutcome.ts"
import { nextPriceFromInput, nextPriceFromOutput } from "./sqrtPriceMath.ts"
import { deductFeeRoundingDown, inputRoundingUp, marginalOutputAt, outputRoundingDown, PIPS } from "./swapMath.ts"
import { MAX_TICK, MIN_TICK, priceLimit, sqrtPriceX96AtTick, tickAtSqrtPriceX96 } from "./tickMath.ts"

interface SwapStep {
  readonly sqrtPriceX96: bigint
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly feeAmount: bigint
}

/** Returns the fee that is added to an input. Rounded up, so that the pool receives at least its share. */
const feeRoundingUp = (amountIn: bigint, feePips: bigint): bigint => mulDivRoundingUp(amountIn, feePips, PIPS - feePips)

/**
 * Computes one step of a swap, as `SwapMath.computeSwapStep` does: to the target price, or until the amount is used up.
 * `remaining` is the remaining input or output.
 */
export const swapStep = (
  price: bigint,
  target: bigint,
  liquidity: bigint,
  remaining: bigint,
  exactIn: boolean,
  feePips: bigint
): SwapStep => {
  const zeroForOne = price >= target
  const inputTo = (to: bigint) => inputRoundingUp(price, to, liquidity, zeroForOne)
  const outputTo = (to: bigint) => outputRoundingDown(price, to, liquidity, zeroForOne)

  if (exactIn) {
    const lessFee = deductFeeRoundingDown(remaining, feePips)
    const inputToTarget = inputTo(target)
    const isTargetReached = lessFee >= inputToTarget
    const nextPrice = isTargetReached ? target : nextPriceFromInput(price, liquidity, lessFee, zeroForOne)
    const amountIn = nextPrice === target ? inputToTarget : inputTo(nextPrice)
    return {
      sqrtPriceX96: nextPrice,
      amountIn,
      amountOut: outputTo(nextPrice),
      // If the step ends before the target, the fee is the rest of the input, so that no base unit remains.
      feeAmount: nextPrice === target ? feeRoundingUp(amountIn, feePips) : remaining - amountIn
    }
  }
  const outputToTarget = outputTo(target)
  const priceAfter = remaining >= outputToTarget ? target : nextPriceFromOutput(price, liquidity, remaining, zeroForOne)
  const amountIn = inputTo(priceAfter)
  const amountOut = priceAfter === target ? outputToTarget : outputTo(priceAfter)
  return {
    sqrtPriceX96: priceAfter,
    amountIn,
    amountOut: amountOut > remaining ? remaining : amountOut,
    feeAmount: feeRoundingUp(amountIn, feePips)
  }
}

/**
 * Swaps an exact input or output amount with the loop of `UniswapV3Pool.swap` and of Uniswap V4's `Pool.swap`. The
 * result is bit-exact with the contract at the pool's block. With a price limit, the swap ends there and returns the
 * amounts so far. This is the reference for `swapConcentrated`, which is faster.
 */
export const swapStepByStep = (
  pool: ConcentratedPool,
  zeroForOne: boolean,
  amount: bigint,
  exactIn: boolean,
  sqrtPriceLimitX96: bigint | null = null
): SwapOutcome<ConcentratedPool> => {
  const feePips = BigInt(swapFeePips(pool, zeroForOne))
  let remainingAmount = amount
  let price = pool.sqrtPriceX96
  let tick = pool.tick
  let liquidity = pool.liquidity
  let amountIn = 0n
  let amountOut = 0n
  let ticksCrossed = 0
  const end = priceLimit(zeroForOne)
  const limit = sqrtPriceLimitX96 ?? end

  while (remainingAmount > 0n && price !== sqrtPriceLimitX96) {
    // With a fee of 100 %, the pool pays no output.
    if (feePips >= PIPS || (zeroForOne ? price <= end : price >= end)) return { _tag: "InsufficientLiquidity" }
    const nextTick = nextTickWithinWord(pool, tick, zeroForOne)
    if (nextTick === null) {
      const word = tickToWord(zeroForOne ? tick : tick + pool.tickSpacing, pool.tickSpacing)
      return { _tag: "TicksMissing", word }
    }
    const nextIndex = Math.min(MAX_TICK, Math.max(MIN_TICK, nextTick.index))
    const nextPrice = sqrtPriceX96AtTick(nextIndex)
    const target = zeroForOne ? maxBigInt(nextPrice, limit) : minBigInt(nextPrice, limit)

    const step = swapStep(price, target, liquidity, remainingAmount, exactIn, feePips)
    const stepIn = step.amountIn + step.feeAmount
    amountIn += stepIn
    amountOut += step.amountOut
    remainingAmount -= exactIn ? stepIn : step.amountOut

    if (step.sqrtPriceX96 === nextPrice) {
      if (nextTick.liquidityNet !== null) {
        // liquidityNet is added when the price crosses the tick upward.
        liquidity += zeroForOne ? -nextTick.liquidityNet : nextTick.liquidityNet
        ticksCrossed += 1
      }
      tick = zeroForOne ? nextIndex - 1 : nextIndex
    } else if (step.sqrtPriceX96 !== price) {
      tick = tickAtSqrtPriceX96(step.sqrtPriceX96)
    }
    price = step.sqrtPriceX96
  }
  return {
    _tag: "Swapped",
    amountIn,
    amountOut,
    ticksCrossed,
    poolAfter: () => ({ ...pool, sqrtPriceX96: price, tick, liquidity }),
    marginalOutput: () => marginalOutputAt(price, feePips, zeroForOne)
  }
}
