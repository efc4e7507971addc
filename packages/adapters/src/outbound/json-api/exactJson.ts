import { Option, Schema } from "effect"

/** The text of a JSON number as received, so that no digit is lost to a float. */
export const NumberText = Schema.String.check(Schema.isPattern(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/u))

/** Parses JSON with numbers as strings. Throws on invalid JSON. */
export const parseExactJson = (text: string): unknown =>
  JSON.parse(text, (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" ? (context?.source ?? String(value)) : value
  )

/** More digits than any price; a larger exponent would create a number with that many digits. */
const MOST_DIGITS = 60

/**
 * A number above zero scaled by 10^18, rounded down; none for zero, negative numbers, numbers below 10^-18, and
 * impossible prices.
 */
export const scaledE18RoundingDown = (number: string): Option.Option<bigint> => {
  const [mantissa = "", exponentText = "0"] = number.toLowerCase().split("e")
  const [whole = "", fraction = ""] = mantissa.split(".")
  const exponent = Number(exponentText)
  if (whole.startsWith("-") || Math.abs(exponent) > MOST_DIGITS || mantissa.length > 2 * MOST_DIGITS)
    return Option.none()
  const digits = BigInt(whole + fraction)
  const shift = 18 + exponent - fraction.length
  const scaled = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift)
  return scaled > 0n && scaled < 10n ** BigInt(MOST_DIGITS) ? Option.some(scaled) : Option.none()
}
