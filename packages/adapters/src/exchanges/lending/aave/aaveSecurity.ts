import { decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import type { LendingLegs } from "@countersign/core/trading/lending"
import { valueUsd8RoundingDown } from "./aaveFigures.ts"
import type { AaveState } from "./aaveState.ts"
import { type LegConflict, unitsOf, withdrawnUnitsOf } from "./LegConflict.ts"
import { userReserves } from "./reserveConfiguration.ts"

/** Checks that a loan has sufficient collateral, before it is taken and after a withdrawal. */

const BPS = 10_000n
const CENT = 10n ** 6n

const usdText = (usd8: bigint): string => `$${decimalFromBaseUnits(usd8 / CENT, 2)}`

const isCollateral = ({ userWord }: AaveState, reserveId: number): boolean =>
  userReserves(userWord).collateral.includes(reserveId)

/** Whether the supplied token is disabled as collateral. Only the first supply of a token enables it as collateral. */
const isTurnedOff = (all: AaveState): boolean => {
  const { supply } = all.legs
  return supply !== undefined && supply.supplied > 0n && !isCollateral(all, supply.reserve.id)
}

/**
 * Returns the borrowing capacity that the supply in the same operation adds, in US dollars with eight decimals. Zero if
 * there is no supply, or if its token is disabled as collateral or has a loan-to-value ratio of 0.
 */
const addedUsd8 = ({ supply }: LendingLegs, all: AaveState): bigint => {
  const state = all.legs.supply
  if (supply === undefined || state === undefined || isTurnedOff(all)) return 0n
  return (valueUsd8RoundingDown(unitsOf(supply), state.reserve, state.priceUsd8) * state.configuration.ltv) / BPS
}

/**
 * Returns why a loan has no collateral: the wallet has none, and the operation supplies none or a token that can't be
 * collateral.
 */
const missingCollateralReason = ({ supply }: LendingLegs, all: AaveState): string => {
  if (supply === undefined) {
    return "The wallet has no collateral in Aave. Supply collateral first, or enable a supplied token as collateral (setUserUseReserveAsCollateral)."
  }
  return isTurnedOff(all)
    ? `${supply.token.symbol} of the wallet is disabled as collateral in Aave, and a supply does not enable it. The owner must enable it (setUserUseReserveAsCollateral).`
    : "The supplied token can't be collateral in Aave, because its loan-to-value ratio is 0."
}

/** Requires that the loan has sufficient collateral, from an earlier supply or from the same operation. */
export const loanCollateralConflict: LegConflict = (leg, { priceUsd8, reserve }, all, legs) => {
  const { account, isInEMode } = all
  const hasNoCollateral = account.collateralUsd8 === 0n
  if (hasNoCollateral && (all.legs.supply?.configuration.debtCeiling ?? 0n) > 0n) {
    return "The supplied token is isolated in Aave. It secures a loan only after the owner has enabled it as the only collateral."
  }
  const addedCapacity = addedUsd8(legs, all)
  if (addedCapacity === 0n && hasNoCollateral) return missingCollateralReason(legs, all)
  if (addedCapacity === 0n && account.ltv === 0n) {
    return "The wallet's collateral in Aave has a loan-to-value ratio of 0, so it can't secure a loan."
  }
  const requestedUsd8 = valueUsd8RoundingDown(unitsOf(leg), reserve, priceUsd8)
  const maxAmount = account.availableUsd8 + addedCapacity
  // The LTV of an eMode category may be higher than the reserve's own LTV. The computed capacity may then be too low, so it is not used to reject the loan.
  return requestedUsd8 > maxAmount && !(isInEMode && addedCapacity > 0n)
    ? `The collateral does not cover the loan: it secures loans of up to ${usdText(maxAmount)}, and this loan is ${usdText(requestedUsd8)}.`
    : null
}

/** Returns the debt that remains after the repayment in the same operation. */
const owedUsd8 = ({ repay }: LendingLegs, { account, legs }: AaveState): bigint => {
  if (repay === undefined || legs.repay === undefined) return account.debtUsd8
  const { debt, priceUsd8, reserve } = legs.repay
  const repaidAmount = repay.amount === "MAX" || repay.amount > debt ? debt : repay.amount
  const remainingDebtUsd8 = account.debtUsd8 - valueUsd8RoundingDown(repaidAmount, reserve, priceUsd8)
  // A fully repaid debt may still have a value of one unit because of rounding.
  return remainingDebtUsd8 > 1n ? remainingDebtUsd8 : 0n
}

/**
 * Requires that the remaining collateral secures the debt. Not checked in an eMode, because the reserve's own threshold
 * does not apply there.
 */
export const remainingCollateralConflict: LegConflict = (
  leg,
  { configuration, priceUsd8, reserve, supplied },
  all,
  legs
) => {
  const { account, isInEMode } = all
  const owedValue = owedUsd8(legs, all)
  const threshold = configuration.liquidationThreshold
  if (isInEMode || owedValue === 0n || threshold === 0n || !isCollateral(all, reserve.id)) return null
  const freeCollateral = account.collateralUsd8 * account.liquidationThreshold - owedValue * BPS
  const maxAmount = freeCollateral > 0n ? freeCollateral / threshold : 0n
  return valueUsd8RoundingDown(withdrawnUnitsOf(leg, supplied), reserve, priceUsd8) > maxAmount
    ? `The remaining collateral in Aave would not secure the debt of ${usdText(owedValue)}. About ${usdText(maxAmount)} of ${leg.token.symbol} can be withdrawn. Withdraw less, or repay more.`
    : null
}
