import { type DecimalString, decimalFromBaseUnits, mulDivRoundingDown } from "../../foundation/primitives/index.ts"

/** Number of days of fees on which an estimate is based. */
export const APR_DAYS = 7

const DAYS_OF_A_YEAR = 365n
const PERCENT = 100n
const DECIMALS = 2
const HUNDREDTHS = 10n ** BigInt(DECIMALS)

export interface AprTerms {
  /** The fees that the pool's liquidity providers earned in the last seven days, in millionths of a US dollar. */
  readonly providersFeesUsdE6: bigint
  readonly liquidity: bigint
  /** The total active liquidity at the pool's price, including the liquidity of this position. */
  readonly liquidityInRange: bigint
  /** Whether the pool's price is in the position's range. */
  readonly isInRange: boolean
  /** The value of the position, in millionths of a US dollar. */
  readonly valueUsdE6: bigint
}

/**
 * The yield of a position in percent per year, if everything stays as in the last seven days:
 *
 * fees of 7 days × (365 / 7) × (its liquidity / the liquidity in range) ÷ its value × 100
 *
 * Zero if the position is out of range, and null if it has no value. Two decimals, rounded down, so that the estimate
 * is not too high.
 */
export const estimatedAprRoundingDown = (terms: AprTerms): DecimalString | null => {
  const { isInRange, liquidity, liquidityInRange, providersFeesUsdE6, valueUsdE6 } = terms
  if (valueUsdE6 === 0n) return null
  const hundredths =
    !isInRange || liquidityInRange === 0n
      ? 0n
      : mulDivRoundingDown(
          providersFeesUsdE6 * DAYS_OF_A_YEAR * PERCENT * HUNDREDTHS,
          liquidity,
          BigInt(APR_DAYS) * liquidityInRange * valueUsdE6
        )
  return decimalFromBaseUnits(hundredths, DECIMALS)
}

const SECONDS_OF_A_YEAR = 365n * 86_400n

/**
 * The yield that a position has earned in percent per year: fees since its creation ÷ its current value × (one year /
 * its age) × 100, both at current prices. Null for a position without value or age. Two decimals, rounded down.
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
          SECONDS_OF_A_YEAR,
          valueUsdE6 * BigInt(Math.floor(ageSeconds))
        ),
        DECIMALS
      )

/**
 * The part of the fees for liquidity providers, after the protocol's share. The shares are denominators per token: 4
 * means one quarter, and 0 means none. The larger share is applied to both tokens, and the result is rounded down.
 */
export const providersPartRoundingDown = (feesUsdE6: bigint, shares: readonly [number, number]): bigint => {
  const parts = shares.filter((share) => share > 0)
  if (parts.length === 0) return feesUsdE6
  const share = BigInt(Math.min(...parts))
  return feesUsdE6 - (feesUsdE6 + share - 1n) / share
}
