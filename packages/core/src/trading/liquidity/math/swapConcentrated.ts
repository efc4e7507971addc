import { mulDivRoundingUp } from "../../../foundation/primitives/index.ts"
import type { ConcentratedPool } from "./ConcentratedPool.ts"
import type { SwapOutcome } from "./SwapOutcome.ts"
import { nextPriceFromInput, nextPriceFromOutput } from "./sqrtPriceMath.ts"
import {
  addFeeRoundingUp,
  deductFeeRoundingDown,
  inputRoundingUp,
  marginalOutputAt,
  outputRoundingDown
} from "./swapMath.ts"
import { findFirstCheckpoint, type SwapCheckpoint, type SwapSums, sumsOf } from "./swapSums.ts"
import { tickAtSqrtPriceX96 } from "./tickMath.ts"

type Outcome = SwapOutcome<ConcentratedPool>

/** Builds the result of a swap that ends at the mark `from`, or at a price between it and the next mark. */
export const swapResultAt = (
  pool: ConcentratedPool,
  { feePips, zeroForOne }: SwapSums,
  from: SwapCheckpoint,
  sqrtPriceX96: bigint,
  amountIn: bigint,
  amountOut: bigint
): Outcome => ({
  _tag: "Swapped",
  amountIn,
  amountOut,
  ticksCrossed: from.ticksCrossed,
  poolAfter: () => ({
    ...pool,
    sqrtPriceX96,
    // If the price has not moved, the tick stays: a price at a boundary may belong to the tick below it.
    tick: sqrtPriceX96 === from.sqrtPriceX96 ? from.tick : tickAtSqrtPriceX96(sqrtPriceX96),
    liquidity: from.liquidity
  }),
  marginalOutput: () => marginalOutputAt(sqrtPriceX96, feePips, zeroForOne)
})

/** Computes the last step of an exact input, which ends before the next mark. The rest of the input is the fee. */
const lastStepOfInput = (pool: ConcentratedPool, sums: SwapSums, from: SwapCheckpoint, amount: bigint): Outcome => {
  const inputAfterFee = deductFeeRoundingDown(amount - from.totalIn, sums.feePips)
  const price = nextPriceFromInput(from.sqrtPriceX96, from.liquidity, inputAfterFee, sums.zeroForOne)
  const output = outputRoundingDown(from.sqrtPriceX96, price, from.liquidity, sums.zeroForOne)
  return swapResultAt(pool, sums, from, price, amount, from.totalOut + output)
}

/**
 * Computes the last step of an exact output. Its price is rounded away from the start price to cover the complete
 * output, so it may reach the next mark.
 */
const lastStepOfOutput = (
  pool: ConcentratedPool,
  sums: SwapSums,
  from: SwapCheckpoint,
  to: SwapCheckpoint,
  amount: bigint
): Outcome => {
  const remainingOutput = amount - from.totalOut
  const price = nextPriceFromOutput(from.sqrtPriceX96, from.liquidity, remainingOutput, sums.zeroForOne)
  const input = inputRoundingUp(from.sqrtPriceX96, price, from.liquidity, sums.zeroForOne)
  const amountIn = from.totalIn + addFeeRoundingUp(input, sums.feePips)
  return swapResultAt(pool, sums, price === to.sqrtPriceX96 ? to : from, price, amountIn, amount)
}

/**
 * Swaps an exact input or output amount. Unlike the contract's loop, it searches the cumulative sums of the pool's
 * state and computes one step. The cost therefore hardly depends on the number of crossed ticks.
 */
export const swapConcentrated = (
  pool: ConcentratedPool,
  zeroForOne: boolean,
  amount: bigint,
  exactIn: boolean
): Outcome => {
  const sums = sumsOf(pool, zeroForOne)
  const position = findFirstCheckpoint(
    exactIn ? ({ totalIn }) => totalIn >= amount : ({ totalOut }) => totalOut >= amount,
    pool,
    sums
  )
  if (typeof position !== "number") return position
  const mark = sums.marks[position]!
  if ((exactIn ? mark.totalIn : mark.totalOut) === amount)
    return swapResultAt(pool, sums, mark, mark.sqrtPriceX96, mark.totalIn, mark.totalOut)
  const previousMark = sums.marks[position - 1]!
  return exactIn
    ? lastStepOfInput(pool, sums, previousMark, amount)
    : lastStepOfOutput(pool, sums, previousMark, mark, amount)
}

/**
 * Returns an upper bound of the output for an input, including liquidity in ticks that were not read. Beyond the last
 * read tick, the marginal output is at most the last computed one. Rounded up, so that it stays an upper bound.
 */
export const largestOutputRoundingUp = (pool: ConcentratedPool, zeroForOne: boolean, amountIn: bigint): bigint => {
  const { feePips, marks } = sumsOf(pool, zeroForOne)
  const { sqrtPriceX96, totalIn, totalOut } = marks.at(-1)!
  const { denominator, numerator } = marginalOutputAt(sqrtPriceX96, feePips, zeroForOne)
  return totalOut + (amountIn > totalIn ? mulDivRoundingUp(amountIn - totalIn, numerator, denominator) : 0n)
}
