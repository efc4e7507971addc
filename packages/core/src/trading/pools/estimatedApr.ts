import { type DecimalString, decimalFromBaseUnits, mulDivRoundingDown } from "../../foundation/primitives/index.ts"

/** Number of days whose fees an estimate is based on. */
export const APR_DAYS = 7

const DAYS_PER_YEAR = 365n
const PERCENT = 100n
const DECIMALS = 2
const HUNDREDTHS = 10n ** BigInt(DECIMALS)

export interface AprTerms {
  /** The fees that the pool's liquidity providers earned in the last seven days, in millionths of a US dollar. */
  readonly providersFeesUsdE6: bigint
  readonly liquidity: bigint
  /** The total active liquidity at the pool's price, including that of this position. */
  readonly liquidityInRange: bigint
  /** Whether the pool's price is in the position's range. */
  readonly isInRange: boolean
  /** The value of the position, in millionths of a US dollar. */
  readonly valueUsdE6: bigint
}

/**
 * Estimates the yield of a position in percent per year, if price and volume stay as in the last seven days:
 *
 * fees of 7 days × (365 / 7) × (its liquidity / the liquidity in range) ÷ its value × 100
 *
 * Zero if the position is out of range. Null if it has no value. Two decimals, rounded down, so that the estimate is
 * not too high.
 */
export const estimatedAprRoundingDown = (terms: AprTerms): DecimalString | null => {
  const { isInRange, liquidity, liquidityInRange, providersFeesUsdE6, valueUsdE6 } = terms
  if (valueUsdE6 === 0n) return null
  const hundredths =
    !isInRange || liquidityInRange === 0n
      ? 0n
      : mulDivRoundingDown(
          providersFeesUsdE6 * DAYS_PER_YEAR * PERCENT * HUNDREDTHS,
          liquidity,
          BigInt(APR_DAYS) * liquidityInRange * valueUsdE6
        )
  return decimalFromBaseUnits(hundredths, DECIMALS)
}

const SECONDS_PER_YEAR = 365n * 86_400n

/**
 * Returns the yield that a position has earned, in percent per year: fees since its creation ÷ its value × (one year /
 * its age) × 100, where fees and value are at current prices. Null if the position has no value or no age. Two
 * decimals, rounded down.
 */
export const earnedAprRoundingDown = (
  feesUsdE6: bigint,
  valueUsdE6: bigint,
  ageSeconds: number
): DecimalString | null =>
  valueUsdE6 === 0n || ageSeconds <= 0
    ? null
    : decimalFromBaseUnits(
        mulDivRoundingDown(
          feesUsdE6 * PERCENT * HUNDREDTHS,
          SECONDS_PER_YEAR,
          valueUsdE6 * BigInt(Math.floor(ageSeconds))
        ),
        DECIMALS
      )

/**
 * Returns the liquidity providers' share of the fees, after the protocol's share. `shares` are the protocol's shares
 * per token as denominators: 4 means one quarter, 0 means none. The larger share is applied to both tokens. Rounded
 * down.
 */
export const providersShareRoundingDown = (feesUsdE6: bigint, shares: readonly [number, number]): bigint => {
  const denominators = shares.filter((share) => share > 0)
  if (denominators.length === 0) return feesUsdE6
  const share = BigInt(Math.min(...denominators))
  return feesUsdE6 - (feesUsdE6 + share - 1n) / share
}
