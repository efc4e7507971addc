import type { ConcentratedPool } from "./ConcentratedPool.ts"
import type { SwapOutcome } from "./SwapOutcome.ts"
import { swapResultAt } from "./swapConcentrated.ts"
import { addFeeRoundingUp, inputRoundingUp, outputRoundingDown } from "./swapMath.ts"
import { findFirstCheckpoint, sumsOf } from "./swapSums.ts"

/**
 * Swaps the amount that moves the pool to a price, as `UniswapV3Pool.swap` does with this price limit. Swaps nothing if
 * the price is in the opposite direction.
 */
export const concentratedToPrice = (
  pool: ConcentratedPool,
  zeroForOne: boolean,
  sqrtPriceX96: bigint
): SwapOutcome<ConcentratedPool> => {
  const sums = sumsOf(pool, zeroForOne)
  const position = findFirstCheckpoint(
    zeroForOne ? (mark) => mark.sqrtPriceX96 <= sqrtPriceX96 : (mark) => mark.sqrtPriceX96 >= sqrtPriceX96,
    pool,
    sums
  )
  if (typeof position !== "number") return position
  const mark = sums.marks[position]!
  const previousMark = sums.marks[position - 1]
  if (previousMark === undefined || mark.sqrtPriceX96 === sqrtPriceX96) {
    return swapResultAt(pool, sums, mark, mark.sqrtPriceX96, mark.totalIn, mark.totalOut)
  }
  const input = inputRoundingUp(previousMark.sqrtPriceX96, sqrtPriceX96, previousMark.liquidity, zeroForOne)
  const output = outputRoundingDown(previousMark.sqrtPriceX96, sqrtPriceX96, previousMark.liquidity, zeroForOne)
  const amountIn = previousMark.totalIn + addFeeRoundingUp(input, sums.feePips)
  return swapResultAt(pool, sums, previousMark, sqrtPriceX96, amountIn, previousMark.totalOut + output)
}
