/** Computes with decimal strings as fixed-point numbers, so that no digit of an amount is lost. */

const DECIMALS = 36

/** One, as a fixed-point number. */
export const ONE = 10n ** BigInt(DECIMALS)

/** Parses a decimal as a fixed-point number with 36 decimals. Truncates further digits. */
export const fixedPointOf = (text: string): bigint => {
  const [whole = "0", fraction = ""] = text.replace("-", "").split(".")
  const value = BigInt(whole + fraction.slice(0, DECIMALS).padEnd(DECIMALS, "0"))
  return text.startsWith("-") ? -value : value
}

/** Formats a fixed-point number as a decimal with at most `decimals` decimals, rounded up. */
export const decimalRoundedUp = (value: bigint, decimals: number): string => {
  const step = 10n ** BigInt(DECIMALS - decimals)
  const isNegative = value < 0n
  // BigInt division truncates, which rounds negative values up.
  const units = isNegative ? -value / step : (value + step - 1n) / step
  const digits = units.toString().padStart(decimals + 1, "0")
  const pointIndex = digits.length - decimals
  const fraction = digits.slice(pointIndex).replace(/0+$/u, "")
  return `${isNegative && units > 0n ? "-" : ""}${digits.slice(0, pointIndex)}${fraction === "" ? "" : `.${fraction}`}`
}

/** Returns the exact difference of two decimals with at most `decimals` decimals. */
export const difference = (one: string, other: string, decimals: number): string =>
  decimalRoundedUp(fixedPointOf(one) - fixedPointOf(other), decimals)
