import type { Address, Ratio } from "../../../foundation/primitives/index.ts"
import type { SwapOutcome } from "./SwapOutcome.ts"

/** The state of a Uniswap V2 pair, or of a fork's pair, at one block. */
export interface ConstantProductPool {
  readonly _tag: "ConstantProduct"
  /** The pair's address in lower case. */
  readonly id: string
  readonly token0: Address
  readonly token1: Address
  /** Base units, each below 2^112. */
  readonly reserve0: bigint
  readonly reserve1: bigint
  /**
   * The fraction of the input that remains after the fee, such as 997/1000 for Uniswap and 9975/10000 for PancakeSwap.
   */
  readonly feeNumerator: bigint
  readonly feeDenominator: bigint
}

/** Maximum reserve in base units. A pair stores each reserve in 112 bits, and reverts a swap that exceeds them. */
const MAX_RESERVE = 2n ** 112n - 1n

/**
 * Returns the output for an exact input. Rounded down, as in `UniswapV2Library.getAmountOut`, so that the pair never
 * pays too much.
 */
const amountOutRoundingDown = (
  { feeDenominator, feeNumerator }: ConstantProductPool,
  reserveIn: bigint,
  reserveOut: bigint,
  amountIn: bigint
): bigint => {
  const inputAfterFee = amountIn * feeNumerator
  return (inputAfterFee * reserveOut) / (reserveIn * feeDenominator + inputAfterFee)
}

/**
 * Returns the input for an exact output. Rounded up, plus one base unit if the division has no remainder, as in
 * `UniswapV2Library.getAmountIn`.
 */
const amountInRoundingUp = (
  { feeDenominator, feeNumerator }: ConstantProductPool,
  reserveIn: bigint,
  reserveOut: bigint,
  amountOut: bigint
): bigint => (reserveIn * amountOut * feeDenominator) / ((reserveOut - amountOut) * feeNumerator) + 1n

/** Returns the derivative of the output with respect to the input, before rounding. */
const marginalOutputOf = (
  { feeDenominator, feeNumerator }: ConstantProductPool,
  reserveIn: bigint,
  reserveOut: bigint,
  amountIn: bigint
): Ratio => ({
  numerator: feeNumerator * feeDenominator * reserveIn * reserveOut,
  denominator: (reserveIn * feeDenominator + amountIn * feeNumerator) ** 2n
})

/** Swaps an exact input or output amount through a pair, with the formulas of Router02. */
export const swapConstantProduct = (
  pool: ConstantProductPool,
  zeroForOne: boolean,
  amount: bigint,
  exactIn: boolean
): SwapOutcome<ConstantProductPool> => {
  const { reserve0, reserve1 } = pool
  const [reserveIn, reserveOut] = zeroForOne ? [reserve0, reserve1] : [reserve1, reserve0]
  if (reserveIn === 0n || reserveOut === 0n || (!exactIn && amount >= reserveOut)) {
    return { _tag: "InsufficientLiquidity" }
  }
  // An output of zero needs an input of zero, without the additional base unit.
  const amountIn = exactIn || amount === 0n ? amount : amountInRoundingUp(pool, reserveIn, reserveOut, amount)
  const amountOut = exactIn ? amountOutRoundingDown(pool, reserveIn, reserveOut, amount) : amount
  if (reserveIn + amountIn > MAX_RESERVE) return { _tag: "InsufficientLiquidity" }
  return {
    _tag: "Swapped",
    amountIn,
    amountOut,
    ticksCrossed: 0,
    poolAfter: () =>
      zeroForOne
        ? { ...pool, reserve0: reserve0 + amountIn, reserve1: reserve1 - amountOut }
        : { ...pool, reserve0: reserve0 - amountOut, reserve1: reserve1 + amountIn },
    marginalOutput: () => marginalOutputOf(pool, reserveIn, reserveOut, amountIn)
  }
}
