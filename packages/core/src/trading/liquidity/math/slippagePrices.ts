import { greater, lesser, ratioFromPercent } from "../../../foundation/primitives/index.ts"
import {
  amountsForLiquidityRoundingDown,
  amountsForLiquidityRoundingUp,
  liquidityForAmountsRoundingDown,
  type PriceRange,
  type TokenAmounts
} from "./liquidityAmounts.ts"
import { squareRootRoundingDown, squareRootRoundingUp } from "./squareRoot.ts"
import { MAX_SQRT_PRICE_X96, MIN_SQRT_PRICE_X96 } from "./tickMath.ts"

/**
 * The prices between which an operation must succeed: the percentage below the price and above it, as Q64.96 roots, each
 * rounded away from it. Both are the price itself where the percentage is zero.
 */
export const pricesWithin = (sqrtPriceX96: bigint, slippagePercent: number): PriceRange => {
  const { denominator, numerator } = ratioFromPercent(slippagePercent)
  const square = sqrtPriceX96 * sqrtPriceX96
  const lower = squareRootRoundingDown((square * (denominator - numerator)) / denominator)
  const upper = squareRootRoundingUp((square * (denominator + numerator) + denominator - 1n) / denominator)
  return {
    lowerPriceX96: greater(lower, MIN_SQRT_PRICE_X96),
    upperPriceX96: lesser(upper, MAX_SQRT_PRICE_X96 - 1n)
  }
}

/**
 * The least of each token that a mint takes while the price is between two prices: token0 at the upper one, token1 at the
 * lower one, which is how Uniswap's SDK sets the minimums. A share of the amounts would fail at a few hundredths of a
 * percent, because a move of the price changes their ratio first. `amounts` are the least that the swaps before it may leave.
 */
export const mintMinimums = (range: PriceRange, prices: PriceRange, amounts: TokenAmounts): TokenAmounts => {
  const takenAt = (price: bigint) =>
    amountsForLiquidityRoundingUp(price, range, liquidityForAmountsRoundingDown(price, range, amounts))
  return { amount0: takenAt(prices.upperPriceX96).amount0, amount1: takenAt(prices.lowerPriceX96).amount1 }
}

/** The least of each token that liquidity gives back while the price is between two prices. */
export const burnMinimums = (range: PriceRange, prices: PriceRange, liquidity: bigint): TokenAmounts => ({
  amount0: amountsForLiquidityRoundingDown(prices.upperPriceX96, range, liquidity).amount0,
  amount1: amountsForLiquidityRoundingDown(prices.lowerPriceX96, range, liquidity).amount1
})
