import { mulDivRoundingDown, mulDivRoundingUp, type Ratio } from "../../../foundation/primitives/index.ts"
import {
  amount0DeltaRoundingDown,
  amount0DeltaRoundingUp,
  amount1DeltaRoundingDown,
  amount1DeltaRoundingUp
} from "./sqrtPriceMath.ts"

/** The unit of fees: millionths of the amount. */
export const PIPS = 1_000_000n

/**
 * Returns the marginal output per unit of input at a price, after fees. Without fees, it is the price for an input of
 * token0, and the inverse of the price for an input of token1.
 */
export const marginalOutputAt = (sqrtPriceX96: bigint, feePips: bigint, zeroForOne: boolean): Ratio => {
  const square = sqrtPriceX96 * sqrtPriceX96
  return zeroForOne
    ? { numerator: square * (PIPS - feePips), denominator: PIPS << 192n }
    : { numerator: (PIPS - feePips) << 192n, denominator: square * PIPS }
}

/**
 * Returns the input of a step between two prices in base units, before fees. Rounded up, so that the pool does not
 * receive too little.
 */
export const inputRoundingUp = (from: bigint, to: bigint, liquidity: bigint, zeroForOne: boolean): bigint =>
  zeroForOne ? amount0DeltaRoundingUp(to, from, liquidity) : amount1DeltaRoundingUp(from, to, liquidity)

/**
 * Returns the output of a step between two prices in base units. Rounded down, so that the pool does not pay too much.
 */
export const outputRoundingDown = (from: bigint, to: bigint, liquidity: bigint, zeroForOne: boolean): bigint =>
  zeroForOne ? amount1DeltaRoundingDown(to, from, liquidity) : amount0DeltaRoundingDown(from, to, liquidity)

/**
 * Returns an input plus its fee. Rounding once gives the same result as the contract's two roundings, because the input
 * is an integer.
 */
export const addFeeRoundingUp = (amountIn: bigint, feePips: bigint): bigint =>
  mulDivRoundingUp(amountIn, PIPS, PIPS - feePips)

/** Returns an input minus its fee. Rounded down in favour of the pool. */
export const deductFeeRoundingDown = (amount: bigint, feePips: bigint): bigint =>
  mulDivRoundingDown(amount, PIPS - feePips, PIPS)
