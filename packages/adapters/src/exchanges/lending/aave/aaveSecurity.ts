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
  userReserves(userWord).collateralIds.includes(reserveId)

/** Whether the supplied token is disabled as collateral. Only the first supply of a token enables it as collateral. */
const isDisabledAsCollateral = (aaveState: AaveState): boolean => {
  const { supply } = aaveState.legs
  return supply !== undefined && supply.supplied > 0n && !isCollateral(aaveState, supply.reserve.id)
}

/**
 * Returns the borrowing capacity that the supply in the same operation adds, in US dollars with eight decimals. Zero if
 * there is no supply, or if its token is disabled as collateral or has a loan-to-value ratio of 0.
 */
const addedCapacityUsd8Of = ({ supply }: LendingLegs, aaveState: AaveState): bigint => {
  const state = aaveState.legs.supply
  if (supply === undefined || state === undefined || isDisabledAsCollateral(aaveState)) return 0n
  return (valueUsd8RoundingDown(unitsOf(supply), state.reserve, state.priceUsd8) * state.configuration.ltv) / BPS
}

/**
 * Returns why a loan has no collateral: the wallet has none, and the operation supplies none or a token that can't be
 * collateral.
 */
const missingCollateralReason = ({ supply }: LendingLegs, aaveState: AaveState): string => {
  if (supply === undefined) {
    return "The wallet has no collateral in Aave. Supply collateral first, or enable a supplied token as collateral (setUserUseReserveAsCollateral)."
  }
  return isDisabledAsCollateral(aaveState)
    ? `${supply.token.symbol} of the wallet is disabled as collateral in Aave, and a supply does not enable it. The owner must enable it (setUserUseReserveAsCollateral).`
    : "The supplied token can't be collateral in Aave, because its loan-to-value ratio is 0."
}

/** Requires that the loan has sufficient collateral, from an earlier supply or from the same operation. */
export const loanCollateralConflict: LegConflict = (leg, { priceUsd8, reserve }, aaveState, legs) => {
  const { account, isInEMode } = aaveState
  const hasNoCollateral = account.collateralUsd8 === 0n
  if (hasNoCollateral && (aaveState.legs.supply?.configuration.debtCeiling ?? 0n) > 0n) {
    return "The supplied token is isolated in Aave. It secures a loan only after the owner has enabled it as the only collateral."
  }
  const addedCapacityUsd8 = addedCapacityUsd8Of(legs, aaveState)
  if (addedCapacityUsd8 === 0n && hasNoCollateral) return missingCollateralReason(legs, aaveState)
  if (addedCapacityUsd8 === 0n && account.ltv === 0n) {
    return "The wallet's collateral in Aave has a loan-to-value ratio of 0, so it can't secure a loan."
  }
  const requestedUsd8 = valueUsd8RoundingDown(unitsOf(leg), reserve, priceUsd8)
  const maxUsd8 = account.availableUsd8 + addedCapacityUsd8
  // The LTV of an eMode category may be higher than the reserve's own LTV. The computed capacity may then be too low, so it is not used to reject the loan.
  return requestedUsd8 > maxUsd8 && !(isInEMode && addedCapacityUsd8 > 0n)
    ? `The collateral does not cover the loan: it secures loans of up to ${usdText(maxUsd8)}, and this loan is ${usdText(requestedUsd8)}.`
    : null
}

/** Returns the debt that remains after the repayment in the same operation. */
const debtUsd8AfterRepayment = ({ repay }: LendingLegs, { account, legs }: AaveState): bigint => {
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
  const owedValue = debtUsd8AfterRepayment(legs, all)
  const threshold = configuration.liquidationThreshold
  if (isInEMode || owedValue === 0n || threshold === 0n || !isCollateral(all, reserve.id)) return null
  const freeCollateral = account.collateralUsd8 * account.liquidationThreshold - owedValue * BPS
  const maxUsd8 = freeCollateral > 0n ? freeCollateral / threshold : 0n
  return valueUsd8RoundingDown(withdrawnUnitsOf(leg, supplied), reserve, priceUsd8) > maxUsd8
    ? `The remaining collateral in Aave would not secure the debt of ${usdText(owedValue)}. About ${usdText(maxUsd8)} of ${leg.token.symbol} can be withdrawn. Withdraw less, or repay more.`
    : null
}
