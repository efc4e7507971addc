import { greater, lesser } from "../../primitives/index.ts"
import { type ConcentratedPool, nextTickWithinWord, swapFeePips, wordOfTick } from "./ConcentratedPool.ts"
import type { SwapOutcome } from "./SwapOutcome.ts"
import { marginalOutputAt, PIPS, swapStep } from "./swapMath.ts"
import { MAX_TICK, MIN_TICK, priceLimit, sqrtPriceX96AtTick, tickAtSqrtPriceX96 } from "./tickMath.ts"

/**
 * Swaps an exact amount, in or out, through a pool: the loop of `UniswapV3Pool.swap`,
 * and of `Pool.swap` of Uniswap V4.
 * Bit-exact with the contract at the block that the pool was read at.
 * With a price limit it ends there, with the amounts that it took. `swapConcentrated` does the same faster; this is what
 * it is held to.
 */
export const swapStepByStep = (
  pool: ConcentratedPool,
  zeroForOne: boolean,
  amount: bigint,
  exactIn: boolean,
  sqrtPriceLimitX96: bigint | null = null
): SwapOutcome<ConcentratedPool> => {
  const feePips = BigInt(swapFeePips(pool, zeroForOne))
  let remaining = amount
  let price = pool.sqrtPriceX96
  let tick = pool.tick
  let liquidity = pool.liquidity
  let amountIn = 0n
  let amountOut = 0n
  let ticksCrossed = 0
  const end = priceLimit(zeroForOne)
  const limit = sqrtPriceLimitX96 ?? end

  while (remaining > 0n && price !== sqrtPriceLimitX96) {
    // A pool that keeps the whole input gives nothing for it.
    if (feePips >= PIPS || (zeroForOne ? price <= end : price >= end)) return { _tag: "InsufficientLiquidity" }
    const next = nextTickWithinWord(pool, tick, zeroForOne)
    if (next === null) {
      const word = wordOfTick(zeroForOne ? tick : tick + pool.tickSpacing, pool.tickSpacing)
      return { _tag: "TicksMissing", word }
    }
    const nextIndex = Math.min(MAX_TICK, Math.max(MIN_TICK, next.index))
    const nextPrice = sqrtPriceX96AtTick(nextIndex)
    const target = zeroForOne ? greater(nextPrice, limit) : lesser(nextPrice, limit)

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
    poolAfter: () => ({ ...pool, sqrtPriceX96: price, tick, liquidity }),
    marginalOutput: () => marginalOutputAt(price, feePips, zeroForOne)
  }
}
