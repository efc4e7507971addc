import { type DecimalString, decimalFromBaseUnits } from "./Amount.ts"

/**
 * An exact, non-negative fraction. Percentages in requests are JSON numbers, and are converted to fractions, so that
 * fees are exact.
 */
export interface Ratio {
  readonly numerator: bigint
  readonly denominator: bigint
}

/**
 * Converts a percentage to a fraction: 0.3 is 3/1000. Uses the shortest decimal that parses to this number, which is
 * how the caller wrote it.
 */
export const ratioFromPercent = (percent: number): Ratio => {
  const [mantissa = "0", exponent = "0"] = percent.toString().split("e")
  const [whole = "0", fraction = ""] = mantissa.split(".")
  const scale = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return scale >= 0
    ? { numerator: digits, denominator: 100n * 10n ** BigInt(scale) }
    : { numerator: digits * 10n ** BigInt(-scale), denominator: 100n }
}

/** Formats a fraction as a percentage: 3/1000 is "0.3". The denominator must be a power of ten, and at least 100. */
export const percentFromRatio = ({ denominator, numerator }: Ratio): DecimalString =>
  decimalFromBaseUnits(numerator, denominator.toString().length - 3)

/** Formats a percentage without an exponent: 1e-7 is "0.0000001". */
export const percentText = (percent: number): DecimalString => percentFromRatio(ratioFromPercent(percent))

export const mulDivRoundingDown = (a: bigint, b: bigint, denominator: bigint): bigint => (a * b) / denominator

export const mulDivRoundingUp = (a: bigint, b: bigint, denominator: bigint): bigint =>
  (a * b + denominator - 1n) / denominator

export const shareRoundingDown = (amount: bigint, share: Ratio): bigint =>
  mulDivRoundingDown(amount, share.numerator, share.denominator)

/** Splits an amount in proportion to weights. At least one weight must be above zero. The parts sum to the amount. */
export const proportionalAmounts = (amount: bigint, weights: ReadonlyArray<bigint>): ReadonlyArray<bigint> => {
  const sumUntil = (count: number) => weights.slice(0, count).reduce((sum, weight) => sum + weight, 0n)
  const amountUntil = (count: number) => mulDivRoundingDown(amount, sumUntil(count), sumUntil(weights.length))
  return weights.map((_, i) => amountUntil(i + 1) - amountUntil(i))
}
