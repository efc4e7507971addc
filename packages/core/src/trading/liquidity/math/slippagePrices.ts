import { maxBigInt, minBigInt, ratioFromPercent } from "../../../foundation/primitives/index.ts"
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
 * Returns the price bounds between which an operation succeeds, as Q64.96 square roots: the price minus and plus the
 * percentage, each rounded away from the price. Both equal the price if the percentage is zero.
 */
export const pricesWithin = (sqrtPriceX96: bigint, slippagePercent: number): PriceRange => {
  const { denominator, numerator } = ratioFromPercent(slippagePercent)
  const square = sqrtPriceX96 * sqrtPriceX96
  const lower = squareRootRoundingDown((square * (denominator - numerator)) / denominator)
  const upper = squareRootRoundingUp((square * (denominator + numerator) + denominator - 1n) / denominator)
  return {
    lowerPriceX96: maxBigInt(lower, MIN_SQRT_PRICE_X96),
    upperPriceX96: minBigInt(upper, MAX_SQRT_PRICE_X96 - 1n)
  }
}

/**
 * Returns the minimum of each token that a mint uses if the price is between two bounds. The minimum of token0 is its
 * amount at the upper bound, and that of token1 at the lower bound, as in Uniswap's SDK. A fixed percentage of the
 * amounts would revert after a small price change, because the ratio of the amounts changes faster than the price.
 * `amounts` are the minimum outputs of the preceding swaps.
 */
export const mintMinimums = (range: PriceRange, prices: PriceRange, amounts: TokenAmounts): TokenAmounts => {
  const mintAmountsAt = (price: bigint) =>
    amountsForLiquidityRoundingUp(price, range, liquidityForAmountsRoundingDown(price, range, amounts))
  return { amount0: mintAmountsAt(prices.upperPriceX96).amount0, amount1: mintAmountsAt(prices.lowerPriceX96).amount1 }
}

/** Returns the minimum of each token that a burn returns if the price is between two bounds. */
export const burnMinimums = (range: PriceRange, prices: PriceRange, liquidity: bigint): TokenAmounts => ({
  amount0: amountsForLiquidityRoundingDown(prices.upperPriceX96, range, liquidity).amount0,
  amount1: amountsForLiquidityRoundingDown(prices.lowerPriceX96, range, liquidity).amount1
})
