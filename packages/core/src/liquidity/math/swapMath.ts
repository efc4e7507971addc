import { mulDivRoundingDown, mulDivRoundingUp, type Ratio } from "../../primitives/index.ts"
import {
  amount0DeltaRoundingDown,
  amount0DeltaRoundingUp,
  amount1DeltaRoundingDown,
  amount1DeltaRoundingUp,
  nextPriceFromInput,
  nextPriceFromOutput
} from "./sqrtPriceMath.ts"

export interface SwapStep {
  readonly sqrtPriceX96: bigint
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly feeAmount: bigint
}

/** What fees are measured in: millionths of the amount. */
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

/** The fee on top of an input that is known without it. Rounded up, so that the pool has at least its share. */
export const feeRoundingUp = (amountIn: bigint, feePips: bigint): bigint =>
  mulDivRoundingUp(amountIn, feePips, PIPS - feePips)

/** An input with the fee on top of it: the two roundings of the contract's sum are one, as the input is a whole number. */
export const withFeeRoundingUp = (amountIn: bigint, feePips: bigint): bigint =>
  mulDivRoundingUp(amountIn, PIPS, PIPS - feePips)

/** What of an input is left to swap after its fee. Rounded down, in the pool's favour. */
export const lessFeeRoundingDown = (amount: bigint, feePips: bigint): bigint =>
  mulDivRoundingDown(amount, PIPS - feePips, PIPS)

/**
 * One step of a swap inside one range, as `SwapMath.computeSwapStep`: up to the target price or until the amount is
 * used up. `remaining` is the input still to be given, or the output still to be got.
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
    const lessFee = lessFeeRoundingDown(remaining, feePips)
    const inputToTarget = inputTo(target)
    const reached = lessFee >= inputToTarget
    const next = reached ? target : nextPriceFromInput(price, liquidity, lessFee, zeroForOne)
    const amountIn = next === target ? inputToTarget : inputTo(next)
    return {
      sqrtPriceX96: next,
      amountIn,
      amountOut: outputTo(next),
      // Short of the target the rest of the input is the fee, so that not a unit is left over.
      feeAmount: next === target ? feeRoundingUp(amountIn, feePips) : remaining - amountIn
    }
  }
  const outputToTarget = outputTo(target)
  const next = remaining >= outputToTarget ? target : nextPriceFromOutput(price, liquidity, remaining, zeroForOne)
  const amountIn = inputTo(next)
  const amountOut = next === target ? outputToTarget : outputTo(next)
  return {
    sqrtPriceX96: next,
    amountIn,
    amountOut: amountOut > remaining ? remaining : amountOut,
    feeAmount: feeRoundingUp(amountIn, feePips)
  }
}
