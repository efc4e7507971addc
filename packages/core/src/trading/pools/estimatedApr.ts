import { type DecimalString, decimalFromBaseUnits, mulDivRoundingDown } from "../../foundation/primitives/index.ts"

/** Days whose fees an estimate goes by. */
export const APR_DAYS = 7

const DAYS_OF_A_YEAR = 365n
const PERCENT = 100n
const DECIMALS = 2
const HUNDREDTHS = 10n ** BigInt(DECIMALS)

export interface AprTerms {
  /** The earnings of the pool's liquidity providers in the last seven days, in millionths of a US dollar. */
  readonly providersFeesUsdE6: bigint
  readonly liquidity: bigint
  /** All liquidity that earns at the pool's price, this position's included. */
  readonly liquidityInRange: bigint
  /** Whether the pool's price is in the position's range. */
  readonly isInRange: boolean
  /** The value of the position, in millionths of a US dollar. */
  readonly valueUsdE6: bigint
}

/**
 * Percent a year that a position would earn if everything stayed as it was in the last seven days:
 *
 *     fees of 7 days × (365 / 7) × (its liquidity / the liquidity in range) ÷ its value × 100
 *
 * Zero out of the range, null for a position without value. Two decimals, rounded down: it promises no more than was earned.
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
 * Percent a year that a position has earned: fees since its beginning ÷ its value now × (a year / its age) × 100, both at the
 * prices of now. Null for a position without value or age. Two decimals, rounded down.
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
 * The part of the fees that the protocol leaves to the providers. The shares are the pool's for each token: 4 is a quarter, 0
 * nothing. The larger one is taken for both, and the result rounded down.
 */
export const providersPartRoundingDown = (feesUsdE6: bigint, shares: readonly [number, number]): bigint => {
  const parts = shares.filter((share) => share > 0)
  if (parts.length === 0) return feesUsdE6
  const share = BigInt(Math.min(...parts))
  return feesUsdE6 - (feesUsdE6 + share - 1n) / share
}
