import { Option, Schema } from "effect"

const EXPECTED_DECIMAL = 'Expected a decimal number as a string, such as "1.5", without sign or exponent'

/**
 * An amount in token units (not base units) as in the API: digits and at most one decimal point, without sign or
 * exponent.
 */
export const DecimalString = Schema.String.annotate({ message: EXPECTED_DECIMAL })
  .check(Schema.isMaxLength(100), Schema.isPattern(/^\d+(?:\.\d+)?$/u, { message: EXPECTED_DECIMAL }))
  .pipe(Schema.brand("DecimalString"))
export type DecimalString = typeof DecimalString.Type

/** The largest amount that a token contract can store, in base units. */
export const MAX_UINT256 = 2n ** 256n - 1n

/**
 * Converts an amount in token units to base units. `None` if the amount has more decimals than the token, or exceeds
 * 256 bits. Trailing zeros do not count: "1.50" is valid for a token with one decimal.
 */
export const baseUnitsOrNone = (amount: DecimalString, decimals: number): Option.Option<bigint> => {
  const [whole = "0", fraction = ""] = amount.split(".")
  const significantFraction = fraction.replace(/0+$/u, "")
  if (significantFraction.length > decimals) return Option.none()
  const units = BigInt(whole + significantFraction.padEnd(decimals, "0"))
  return units > MAX_UINT256 ? Option.none() : Option.some(units)
}

/** Converts an amount in base units to the shortest decimal string. 1500000n of a token with 6 decimals is "1.5". */
export const decimalFromBaseUnits = (units: bigint, decimals: number): DecimalString => {
  const digits = units.toString().padStart(decimals + 1, "0")
  const integerDigits = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/u, "")
  return DecimalString.make(fraction === "" ? integerDigits : `${integerDigits}.${fraction}`)
}
