import { maxBigInt, minBigInt } from "../../../foundation/primitives/index.ts"
import {
  amount0DeltaRoundingDown,
  amount0DeltaRoundingUp,
  amount1DeltaRoundingDown,
  amount1DeltaRoundingUp
} from "./sqrtPriceMath.ts"

/**
 * Conversions between liquidity and token amounts, as in `LiquidityAmounts.sol` (v3-periphery) and the pool contract.
 */

/** Base units of the pool's two tokens. */
export interface TokenAmounts {
  readonly amount0: bigint
  readonly amount1: bigint
}

/** Two different prices as Q64.96 square roots. */
export interface PriceRange {
  readonly lowerPriceX96: bigint
  readonly upperPriceX96: bigint
}

/**
 * Returns the price, clamped to the range. The position holds token0 in the part of the range above this price, and
 * token1 in the part below it.
 */
const clampPrice = (price: bigint, { lowerPriceX96, upperPriceX96 }: PriceRange): bigint =>
  minBigInt(maxBigInt(price, lowerPriceX96), upperPriceX96)

/**
 * Returns the amounts that a deposit of this liquidity costs. Rounded up, because the pool's balance must cover all
 * positions.
 */
export const amountsForLiquidityRoundingUp = (price: bigint, range: PriceRange, liquidity: bigint): TokenAmounts => {
  const clampedPrice = clampPrice(price, range)
  return {
    amount0: amount0DeltaRoundingUp(clampedPrice, range.upperPriceX96, liquidity),
    amount1: amount1DeltaRoundingUp(range.lowerPriceX96, clampedPrice, liquidity)
  }
}

/**
 * Returns the amounts that a removal of this liquidity yields. Rounded down, because the pool's balance must cover all
 * positions.
 */
export const amountsForLiquidityRoundingDown = (price: bigint, range: PriceRange, liquidity: bigint): TokenAmounts => {
  const clampedPrice = clampPrice(price, range)
  return {
    amount0: amount0DeltaRoundingDown(clampedPrice, range.upperPriceX96, liquidity),
    amount1: amount1DeltaRoundingDown(range.lowerPriceX96, clampedPrice, liquidity)
  }
}

/**
 * Returns the liquidity that `amount0` allows. Rounds down twice: the contract first rounds the product of the prices
 * to Q64.96.
 */
const liquidityForAmount0RoundingDown = (lower: bigint, upper: bigint, amount0: bigint): bigint =>
  (amount0 * ((lower * upper) >> 96n)) / (upper - lower)

const liquidityForAmount1RoundingDown = (lower: bigint, upper: bigint, amount1: bigint): bigint =>
  (amount1 << 96n) / (upper - lower)

/**
 * Returns the liquidity that each token's amount allows at a price, rounded down. Null for a token that the range does
 * not use at this price.
 */
export const liquidityByToken = (
  price: bigint,
  { lowerPriceX96: lower, upperPriceX96: upper }: PriceRange,
  { amount0, amount1 }: TokenAmounts
): { readonly byToken0: bigint | null; readonly byToken1: bigint | null } => ({
  byToken0: price >= upper ? null : liquidityForAmount0RoundingDown(maxBigInt(price, lower), upper, amount0),
  byToken1: price <= lower ? null : liquidityForAmount1RoundingDown(lower, minBigInt(price, upper), amount1)
})

/**
 * Returns the liquidity that the position manager mints: the maximum that both amounts allow. Rounded down, so that it
 * costs no more than the amounts. The contract reverts at 2^128 or more.
 */
export const liquidityForAmountsRoundingDown = (price: bigint, range: PriceRange, amounts: TokenAmounts): bigint => {
  const { byToken0, byToken1 } = liquidityByToken(price, range, amounts)
  return byToken0 === null ? (byToken1 ?? 0n) : byToken1 === null ? byToken0 : minBigInt(byToken0, byToken1)
}
