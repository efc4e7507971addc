import { mulDivRoundingDown, mulDivRoundingUp, type Ratio } from "../../../foundation/primitives/index.ts"
import {
  amount0DeltaRoundingDown,
  amount0DeltaRoundingUp,
  amount1DeltaRoundingDown,
  amount1DeltaRoundingUp
} from "./sqrtPriceMath.ts"

/** The unit of fees: millionths of the amount. */
export const PIPS = 1_000_000n

/** Output for the next bit of input at a price, after fees: the price for token0, its inverse for token1. */
export const marginalOutputAt = (sqrtPriceX96: bigint, feePips: bigint, zeroForOne: boolean): Ratio => {
  const square = sqrtPriceX96 * sqrtPriceX96
  return zeroForOne
    ? { numerator: square * (PIPS - feePips), denominator: PIPS << 192n }
    : { numerator: (PIPS - feePips) << 192n, denominator: square * PIPS }
}

/** Base units that a step takes as input from one price to another, before fees. Rounded up: the pool is never paid too little. */
export const inputRoundingUp = (from: bigint, to: bigint, liquidity: bigint, zeroForOne: boolean): bigint =>
  zeroForOne ? amount0DeltaRoundingUp(to, from, liquidity) : amount1DeltaRoundingUp(from, to, liquidity)

/** Base units that a step gives as output from one price to another. Rounded down: the pool never gives too much. */
export const outputRoundingDown = (from: bigint, to: bigint, liquidity: bigint, zeroForOne: boolean): bigint =>
  zeroForOne ? amount1DeltaRoundingDown(to, from, liquidity) : amount0DeltaRoundingDown(from, to, liquidity)

/** An input with the fee on top of it: the two roundings of the contract's sum are one, as the input is a whole number. */
export const withFeeRoundingUp = (amountIn: bigint, feePips: bigint): bigint =>
  mulDivRoundingUp(amountIn, PIPS, PIPS - feePips)

/** The part of an input that is left to swap after its fee. Rounded down, in the pool's favour. */
export const lessFeeRoundingDown = (amount: bigint, feePips: bigint): bigint =>
  mulDivRoundingDown(amount, PIPS - feePips, PIPS)
