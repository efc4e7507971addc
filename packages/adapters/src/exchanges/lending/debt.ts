const YEAR_SECONDS = 31_536_000n
const E18 = 10n ** 18n

/**
 * A debt after this many seconds if the rate at most doubles until then. `rateE18` is per year, scaled by 10^18, and
 * compounds. Rounded up plus one unit for contracts that round up themselves, so that the balance is sufficient for a
 * repayment.
 */
export const debtAfterRoundingUp = (debt: bigint, rateE18: bigint, seconds: number): bigint => {
  if (debt === 0n) return 0n
  const growthE18 = (2n * rateE18 * BigInt(Math.max(0, seconds))) / YEAR_SECONDS
  // e^x is at most 1 + x + x^2 for x up to 1.
  const factorE18 = E18 + growthE18 + (growthE18 * growthE18) / E18
  return (debt * factorE18) / E18 + 2n
}
