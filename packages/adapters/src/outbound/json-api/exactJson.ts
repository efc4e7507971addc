import { MAX_UINT256 } from "@countersign/core/foundation/primitives"
import { Option, Schema } from "effect"

/** The text of a JSON number as received, so that no digit is lost in a floating-point number. */
export const NumberText = Schema.String.check(Schema.isPattern(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/u))

/** An integer of at most 256 bits, such as an amount in base units. */
export const Uint256Text = Schema.String.check(
  Schema.makeFilter((text: string) => /^\d{1,78}$/u.test(text) && BigInt(text) <= MAX_UINT256)
)

/** A duration in seconds, shorter than four months. */
export const SecondsText = Schema.String.check(Schema.isPattern(/^\d{1,7}(?:\.\d+)?$/u))

/** Parses JSON with numbers as strings. Throws on invalid JSON. */
export const parseExactJson = (text: string): unknown =>
  JSON.parse(text, (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" ? (context?.source ?? String(value)) : value
  )

export const exactJsonOrNull = (text: string): unknown => Option.getOrNull(Option.liftThrowable(parseExactJson)(text))

const { rawJSON } = JSON as typeof JSON & { readonly rawJSON: (text: string) => unknown }

/** Returns a value that is serialized as a JSON number with these digits. */
export const jsonNumber = (value: bigint): unknown => rawJSON(String(value))

/**
 * Parses JSON so that it can be serialized without changing a digit, because returned data may be covered by a
 * checksum.
 */
export const parseVerbatimJson = (text: string): unknown =>
  JSON.parse(text, (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" && context?.source !== undefined ? rawJSON(context.source) : value
  )

/**
 * Maximum number of digits, which is more than any price has. A larger exponent would create a number with that many
 * digits.
 */
const MAX_DIGITS = 60

/**
 * Scales a positive number by 10^18, rounded down. None for zero, negative numbers, numbers below 10^-18, and
 * impossible prices.
 */
export const scaledE18RoundingDown = (number: string): Option.Option<bigint> => {
  const [mantissa = "", exponentText = "0"] = number.toLowerCase().split("e")
  const [whole = "", fraction = ""] = mantissa.split(".")
  const exponent = Number(exponentText)
  if (whole.startsWith("-") || Math.abs(exponent) > MAX_DIGITS || mantissa.length > 2 * MAX_DIGITS) return Option.none()
  const digits = BigInt(whole + fraction)
  const shift = 18 + exponent - fraction.length
  const scaledValue = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift)
  return scaledValue > 0n && scaledValue < 10n ** BigInt(MAX_DIGITS) ? Option.some(scaledValue) : Option.none()
}
