import { mulDivRoundingDown, mulDivRoundingUp } from "../../primitives/index.ts"
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

const PIPS = 1_000_000n

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
  const inputTo = (to: bigint) =>
    zeroForOne ? amount0DeltaRoundingUp(to, price, liquidity) : amount1DeltaRoundingUp(price, to, liquidity)
  const outputTo = (to: bigint) =>
    zeroForOne ? amount1DeltaRoundingDown(to, price, liquidity) : amount0DeltaRoundingDown(price, to, liquidity)

  if (exactIn) {
    const lessFee = mulDivRoundingDown(remaining, PIPS - feePips, PIPS)
    const inputToTarget = inputTo(target)
    const reached = lessFee >= inputToTarget
    const next = reached ? target : nextPriceFromInput(price, liquidity, lessFee, zeroForOne)
    const amountIn = next === target ? inputToTarget : inputTo(next)
    return {
      sqrtPriceX96: next,
      amountIn,
      amountOut: outputTo(next),
      // Short of the target the rest of the input is the fee, so that not a unit is left over.
      feeAmount: next === target ? mulDivRoundingUp(amountIn, feePips, PIPS - feePips) : remaining - amountIn
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
    feeAmount: mulDivRoundingUp(amountIn, feePips, PIPS - feePips)
  }
}
