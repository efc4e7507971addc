import { type ConcentratedPool, nextTickWithinWord, swapFeePips, wordOfTick } from "./ConcentratedPool.ts"
import type { SwapOutcome } from "./SwapOutcome.ts"
import { swapStep } from "./swapMath.ts"
import {
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
  sqrtPriceX96AtTick,
  tickAtSqrtPriceX96
} from "./tickMath.ts"

/**
 * Swaps an exact amount, in or out, through a pool: the loop of `UniswapV3Pool.swap` without a price limit,
 * and of `Pool.swap` of Uniswap V4.
 * Bit-exact with the contract at the block that the pool was read at.
 */
export const swapStepByStep = (
  pool: ConcentratedPool,
  zeroForOne: boolean,
  amount: bigint,
  exactIn: boolean
): SwapOutcome<ConcentratedPool> => {
  const feePips = BigInt(swapFeePips(pool, zeroForOne))
  let remaining = amount
  let price = pool.sqrtPriceX96
  let tick = pool.tick
  let liquidity = pool.liquidity
  let amountIn = 0n
  let amountOut = 0n
  let ticksCrossed = 0

  while (remaining > 0n) {
    if (zeroForOne ? price <= MIN_SQRT_PRICE_X96 + 1n : price >= MAX_SQRT_PRICE_X96 - 1n) {
      return { _tag: "InsufficientLiquidity" }
    }
    const next = nextTickWithinWord(pool, tick, zeroForOne)
    if (next === null) {
      const word = wordOfTick(zeroForOne ? tick : tick + pool.tickSpacing, pool.tickSpacing)
      return { _tag: "TicksMissing", word }
    }
    const nextIndex = Math.min(MAX_TICK, Math.max(MIN_TICK, next.index))
    const nextPrice = sqrtPriceX96AtTick(nextIndex)
    const limit = zeroForOne ? MIN_SQRT_PRICE_X96 + 1n : MAX_SQRT_PRICE_X96 - 1n
    const target = zeroForOne ? (nextPrice < limit ? limit : nextPrice) : nextPrice > limit ? limit : nextPrice

    const step = swapStep(price, target, liquidity, remaining, exactIn, feePips)
    const stepIn = step.amountIn + step.feeAmount
    amountIn += stepIn
    amountOut += step.amountOut
    remaining -= exactIn ? stepIn : step.amountOut

    if (step.sqrtPriceX96 === nextPrice) {
      if (next.liquidityNet !== null) {
        // liquidityNet is what entering the range from the left adds.
        liquidity += zeroForOne ? -next.liquidityNet : next.liquidityNet
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
    poolAfter: () => ({ ...pool, sqrtPriceX96: price, tick, liquidity })
  }
}
