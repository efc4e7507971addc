import { type DecimalString, decimalFromBaseUnits } from "../../foundation/primitives/index.ts"

const Q192 = 1n << 192n
/** Minimum number of significant digits of a price. */
const SIGNIFICANT_DIGITS = 18

const digitsOf = (value: bigint): number => value.toString().length

/**
 * Converts a Q64.96 square root price in base units to token1 per token0 in token units. Rounded down to at least 18
 * significant digits.
 */
export const priceRoundingDown = (sqrtPriceX96: bigint, decimals0: number, decimals1: number): DecimalString => {
  const numerator = sqrtPriceX96 * sqrtPriceX96 * 10n ** BigInt(decimals0)
  const denominator = Q192 * 10n ** BigInt(decimals1)
  const decimals = Math.max(0, SIGNIFICANT_DIGITS - digitsOf(numerator) + digitsOf(denominator))
  return decimalFromBaseUnits((numerator * 10n ** BigInt(decimals)) / denominator, decimals)
}
