const YEAR_SECONDS = 31_536_000n
const E18 = 10n ** 18n

/**
 * Returns an upper bound of a debt after `seconds`, as long as the rate does not more than double. `rateE18` is the
 * annual rate, scaled by 10^18, compounded continuously. Rounded up, plus one base unit, because the contracts also
 * round up. A wallet with this balance can repay the entire debt.
 */
export const debtAfterRoundingUp = (debt: bigint, rateE18: bigint, seconds: number): bigint => {
  if (debt === 0n) return 0n
  const growthE18 = (2n * rateE18 * BigInt(Math.max(0, seconds))) / YEAR_SECONDS
  // e^x <= 1 + x + x^2 for 0 <= x <= 1.
  const factorE18 = E18 + growthE18 + (growthE18 * growthE18) / E18
  return (debt * factorE18) / E18 + 2n
}
