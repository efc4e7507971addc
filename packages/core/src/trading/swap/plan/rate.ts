import { type DecimalString, decimalFromBaseUnits } from "../../../foundation/primitives/index.ts"
import type { Token } from "../../../foundation/tokens/index.ts"

/**
 * Minimum number of digits after the leading zeros. It equals the maximum number of token decimals, so that a typical
 * amount loses no base unit.
 */
const SIGNIFICANT_DIGITS = 18

/** An amount of a token, in its base units. */
export interface TokenAmount {
  readonly token: Pick<Token, "decimals">
  readonly amount: bigint
}

const digitsOf = (value: bigint): number => value.toString().length

/**
 * Returns the rate as units of `bought` per unit of `sold` (token units, not base units), with at least 18 significant
 * digits. Null if nothing is sold. Rounded down, so that the rate is never better than the amounts.
 */
export const rateRoundingDown = (sold: TokenAmount, bought: TokenAmount): DecimalString | null => {
  if (sold.amount === 0n) return null
  const numerator = bought.amount * 10n ** BigInt(sold.token.decimals)
  const denominator = sold.amount * 10n ** BigInt(bought.token.decimals)
  const decimals = Math.max(0, SIGNIFICANT_DIGITS - digitsOf(numerator) + digitsOf(denominator))
  return decimalFromBaseUnits((numerator * 10n ** BigInt(decimals)) / denominator, decimals)
}
