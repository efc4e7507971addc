const YEAR_SECONDS = 31_536_000n
const E18 = 10n ** 18n

/**
 * An upper bound of a debt after this many seconds, if the rate does not more than double. `rateE18` is per year, scaled
 * by 10^18, and compounds. Rounded up, and one base unit is added because contracts round up too. So a balance of this
 * amount is sufficient for the repayment.
 */
export const debtAfterRoundingUp = (debt: bigint, rateE18: bigint, seconds: number): bigint => {
  if (debt === 0n) return 0n
  const growthE18 = (2n * rateE18 * BigInt(Math.max(0, seconds))) / YEAR_SECONDS
  // e^x is at most 1 + x + x^2 for x up to 1.
  const factorE18 = E18 + growthE18 + (growthE18 * growthE18) / E18
  return (debt * factorE18) / E18 + 2n
}
