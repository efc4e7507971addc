import { BadRequest } from "../../foundation/errors/index.ts"
import { decimalFromBaseUnits } from "../../foundation/primitives/index.ts"
import type { LendingOutcome } from "./LendingMarket.ts"
import type { LendingSettings } from "./LendingSettings.ts"

const E16 = 10n ** 16n

/**
 * Formats a health factor with two decimals. Rounded down, because owners rely on it: 1.2999 must not appear as 1.3.
 */
export const healthText = (healthFactorE18: bigint): string => decimalFromBaseUnits(healthFactorE18 / E16, 2)

/**
 * Returns whether the operation lowers the health factor, or creates the first debt. An operation that raises the
 * health factor is always allowed, even below the limit.
 */
const isWorsened = ({ after, before }: LendingOutcome): boolean =>
  after !== null &&
  after.healthFactorE18 !== null &&
  (before.healthFactorE18 === null || after.healthFactorE18 < before.healthFactorE18)

const healthAfterWorsening = (outcome: LendingOutcome): bigint | null =>
  isWorsened(outcome) ? (outcome.after?.healthFactorE18 ?? null) : null

/** Returns the warnings about the health factor after the operation. */
export const healthWarnings = (outcome: LendingOutcome, { warnBelowE18 }: LendingSettings): ReadonlyArray<string> => {
  const health = healthAfterWorsening(outcome)
  return health === null || health >= warnBelowE18
    ? []
    : [
        `The health factor after the operation is ${healthText(health)}. Below 1 the position can be liquidated, and below ${healthText(warnBelowE18)} a small price change can lead to a liquidation.`
      ]
}

/**
 * Returns the error for a health factor below the limit. Null if the operation is allowed or the caller accepts the
 * risk.
 */
export const healthProblem = (
  outcome: LendingOutcome,
  { refuseBelowE18 }: LendingSettings,
  isAccepted: boolean
): BadRequest | null => {
  const health = healthAfterWorsening(outcome)
  return isAccepted || health === null || health >= refuseBelowE18
    ? null
    : BadRequest.of(
        "acceptLowHealthFactor",
        "health_factor_too_low",
        `The health factor after the operation would be ${healthText(health)}, and the service requires at least ${healthText(refuseBelowE18)}. Below 1 the position can be liquidated. Borrow or withdraw less, or send acceptLowHealthFactor: true.`
      )
}
