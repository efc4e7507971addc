import type { ConcentratedPool } from "./ConcentratedPool.ts"
import type { SwapOutcome } from "./SwapOutcome.ts"
import { swapResultAt } from "./swapConcentrated.ts"
import { addFeeRoundingUp, inputRoundingUp, outputRoundingDown } from "./swapMath.ts"
import { findFirstMark, sumsOf } from "./swapSums.ts"

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
  const position = findFirstMark(
    zeroForOne ? (mark) => mark.sqrtPriceX96 <= sqrtPriceX96 : (mark) => mark.sqrtPriceX96 >= sqrtPriceX96,
    pool,
    sums
  )
  if (typeof position !== "number") return position
  const mark = sums.marks[position]!
  const from = sums.marks[position - 1]
  if (from === undefined || mark.sqrtPriceX96 === sqrtPriceX96) {
    return swapResultAt(pool, sums, mark, mark.sqrtPriceX96, mark.totalIn, mark.totalOut)
  }
  const input = inputRoundingUp(from.sqrtPriceX96, sqrtPriceX96, from.liquidity, zeroForOne)
  const output = outputRoundingDown(from.sqrtPriceX96, sqrtPriceX96, from.liquidity, zeroForOne)
  const amountIn = from.totalIn + addFeeRoundingUp(input, sums.feePips)
  return swapResultAt(pool, sums, from, sqrtPriceX96, amountIn, from.totalOut + output)
}
