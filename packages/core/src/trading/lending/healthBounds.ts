import { BadRequest } from "../../foundation/errors/index.ts"
import { decimalFromBaseUnits } from "../../foundation/primitives/index.ts"
import type { LendingOutcome } from "./LendingMarket.ts"
import type { LendingSettings } from "./LendingSettings.ts"

const E16 = 10n ** 16n

/** A health factor with two digits, rounded down: 1.2999 is not shown as 1.3, because owners decide by it. */
export const healthText = (healthFactorE18: bigint): string => decimalFromBaseUnits(healthFactorE18 / E16, 2)

/** Whether the operation itself makes the position worse. One that is near its end may always be made better. */
const isWorsened = ({ after, before }: LendingOutcome): boolean =>
  after !== null &&
  after.healthFactorE18 !== null &&
  (before.healthFactorE18 === null || after.healthFactorE18 < before.healthFactorE18)

const healthAfterWorsening = (outcome: LendingOutcome): bigint | null =>
  isWorsened(outcome) ? (outcome.after?.healthFactorE18 ?? null) : null

/** Warnings about the health factor that an operation leaves. */
export const healthWarnings = (outcome: LendingOutcome, { warnBelowE18 }: LendingSettings): ReadonlyArray<string> => {
  const health = healthAfterWorsening(outcome)
  return health === null || health >= warnBelowE18
    ? []
    : [
        `The health factor afterwards is ${healthText(health)}. Below 1 the position can be liquidated, and anything below ${healthText(warnBelowE18)} leaves little room for a change of prices.`
      ]
}

/** The refusal of an operation that leaves too low a health factor; null where it is allowed or accepted. */
export const healthRefusal = (
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
        `The health factor afterwards would be ${healthText(health)}, and the service asks for ${healthText(refuseBelowE18)} at least: below 1 the position can be liquidated. Borrow or withdraw less, or send acceptLowHealthFactor: true.`
      )
}
