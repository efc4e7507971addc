import { mulDivRoundingDown, mulDivRoundingUp } from "../../../foundation/primitives/index.ts"

/**
 * Amounts and prices within a range of constant liquidity, as in `SqrtPriceMath.sol`. All prices are Q64.96 square
 * roots.
 */

const MAX_FRACTION_X96 = 2n ** 96n - 1n
const MAX_UINT160 = 2n ** 160n - 1n
const MAX_UINT256 = 2n ** 256n - 1n

export const divRoundingUp = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

const sortPrices = (a: bigint, b: bigint): readonly [lower: bigint, upper: bigint] => (a > b ? [b, a] : [a, b])

/*
 * For token0, the contract divides twice and rounds both times in the same direction. One division by the product has
 * the same result, because ceil(ceil(a / b) / c) = ceil(a / bc). The same is true for floor.
 */

export const amount0DeltaRoundingUp = (priceA: bigint, priceB: bigint, liquidity: bigint): bigint => {
  const [lower, upper] = sortPrices(priceA, priceB)
  return mulDivRoundingUp(liquidity << 96n, upper - lower, upper * lower)
}

export const amount0DeltaRoundingDown = (priceA: bigint, priceB: bigint, liquidity: bigint): bigint => {
  const [lower, upper] = sortPrices(priceA, priceB)
  return mulDivRoundingDown(liquidity << 96n, upper - lower, upper * lower)
}

export const amount1DeltaRoundingUp = (priceA: bigint, priceB: bigint, liquidity: bigint): bigint => {
  const [lower, upper] = sortPrices(priceA, priceB)
  return (liquidity * (upper - lower) + MAX_FRACTION_X96) >> 96n
}

export const amount1DeltaRoundingDown = (priceA: bigint, priceB: bigint, liquidity: bigint): bigint => {
  const [lower, upper] = sortPrices(priceA, priceB)
  return (liquidity * (upper - lower)) >> 96n
}

/**
 * Returns the price after token0 is added to or removed from the pool. Rounded up: for an exact input, the price must
 * not fall too far; for an exact output, it must rise far enough.
 */
const priceFromAmount0RoundingUp = (price: bigint, liquidity: bigint, amount: bigint, isAdded: boolean): bigint => {
  if (amount === 0n) return price
  const numerator = liquidity << 96n
  const product = amount * price
  if (isAdded) {
    // If the first formula would overflow, the contract uses the second one, which rounds differently.
    return product <= MAX_UINT256 && numerator + product <= MAX_UINT256
      ? mulDivRoundingUp(numerator, price, numerator + product)
      : divRoundingUp(numerator, numerator / price + amount)
  }
  return numerator > product ? mulDivRoundingUp(numerator, price, numerator - product) : 0n
}

/**
 * Returns the price after token1 is added to or removed from the pool. Rounded down: for an exact input, the price must
 * not rise too far; for an exact output, it must fall far enough.
 */
const priceFromAmount1RoundingDown = (price: bigint, liquidity: bigint, amount: bigint, isAdded: boolean): bigint => {
  if (isAdded) return price + (amount << 96n) / liquidity
  const quotient = divRoundingUp(amount << 96n, liquidity)
  return price > quotient ? price - quotient : 0n
}

/** Returns the price after an input (without its fee) within a range of constant liquidity. */
export const nextPriceFromInput = (price: bigint, liquidity: bigint, amountIn: bigint, zeroForOne: boolean): bigint =>
  zeroForOne
    ? priceFromAmount0RoundingUp(price, liquidity, amountIn, true)
    : priceFromAmount1RoundingDown(price, liquidity, amountIn, true)

/**
 * Returns the price after an output within a range of constant liquidity. Zero, or above the maximum, if the liquidity
 * is too low.
 */
export const nextPriceFromOutput = (
  price: bigint,
  liquidity: bigint,
  amountOut: bigint,
  zeroForOne: boolean
): bigint =>
  zeroForOne
    ? priceFromAmount1RoundingDown(price, liquidity, amountOut, false)
    : priceFromAmount0RoundingUp(price, liquidity, amountOut, false) || MAX_UINT160
