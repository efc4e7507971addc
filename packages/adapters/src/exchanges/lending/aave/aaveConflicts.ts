import { type LendingAction, type LendingLegs, lendingActions } from "@countersign/core/trading/lending"
import { amountText } from "../lendingCalls.ts"
import { loanCollateralConflict, remainingCollateralConflict } from "./aaveSecurity.ts"
import type { AaveState, LegState } from "./aaveState.ts"
import { type LegConflict, unitsOf, withdrawnUnitsOf } from "./LegConflict.ts"
import { userReserves } from "./reserveConfiguration.ts"

const capInBaseUnits = (cap: bigint, { decimals }: LegState["reserve"]): bigint => cap * 10n ** BigInt(decimals)

const marketConflict: LegConflict = ({ token: { symbol } }, { configuration }) => {
  if (!configuration.isActive) return `Aave's market for ${symbol} is not active.`
  return configuration.isPaused
    ? `Aave has paused its market for ${symbol}: it accepts no operations until Aave unpauses it.`
    : null
}

const frozenConflict: LegConflict = ({ token: { symbol } }, { configuration }) =>
  configuration.isFrozen
    ? `Aave has frozen its market for ${symbol}: only repayments and withdrawals are possible.`
    : null

const supplyCapConflict: LegConflict = (leg, { configuration, reserve, totalSupplied }) => {
  const cap = capInBaseUnits(configuration.supplyCap, reserve)
  return cap > 0n && totalSupplied + unitsOf(leg) > cap
    ? `Aave's supply cap is exceeded: ${amountText(totalSupplied, leg.token)} of at most ${amountText(cap, leg.token)} are already supplied.`
    : null
}

const borrowCapConflict: LegConflict = (leg, { configuration, reserve, totalDebt }) => {
  const cap = capInBaseUnits(configuration.borrowCap, reserve)
  return cap > 0n && totalDebt + unitsOf(leg) > cap
    ? `Aave's borrow cap is exceeded: ${amountText(totalDebt, leg.token)} of at most ${amountText(cap, leg.token)} are already borrowed.`
    : null
}

const borrowingConflict: LegConflict = ({ token: { symbol } }, { configuration }) =>
  configuration.canBorrow ? null : `Aave does not lend ${symbol}.`

const liquidityConflict: LegConflict = (leg, { available, supplied }) =>
  withdrawnUnitsOf(leg, supplied) > available
    ? `Insufficient liquidity: only ${amountText(available, leg.token)} can be withdrawn from Aave's market now.`
    : null

const isolationConflict: LegConflict = ({ token: { symbol } }, { configuration, reserve }, { userWord }) => {
  const { borrowedIds } = userReserves(userWord)
  if (configuration.isSiloed && borrowedIds.some((id) => id !== reserve.id)) {
    return `${symbol} is siloed in Aave: it can't be borrowed together with another token.`
  }
  return null
}

const missingSupplyConflict: LegConflict = (leg, state) => {
  if (state.supplied === 0n) return `The wallet has supplied no ${leg.token.symbol} to Aave.`
  return unitsOf(leg) > state.supplied
    ? `The wallet has supplied ${amountText(state.supplied, leg.token)} to Aave, which is less than the requested amount.`
    : null
}

const noDebtConflict: LegConflict = (leg, { debt }) =>
  debt === 0n ? `The wallet owes Aave no ${leg.token.symbol}.` : null

const conflictsByAction: Readonly<Record<LendingAction, ReadonlyArray<LegConflict>>> = {
  supply: [marketConflict, frozenConflict, supplyCapConflict],
  borrow: [
    marketConflict,
    frozenConflict,
    borrowingConflict,
    borrowCapConflict,
    liquidityConflict,
    isolationConflict,
    loanCollateralConflict
  ],
  repay: [marketConflict, noDebtConflict],
  withdraw: [marketConflict, missingSupplyConflict, liquidityConflict, remainingCollateralConflict]
}

/** Returns why the legs can't be executed, according to the state of their reserves and of the wallet. */
export const aaveConflicts = (legs: LendingLegs, state: AaveState): ReadonlyArray<string> =>
  lendingActions.flatMap((action) => {
    const leg = legs[action]
    const legState = state.legs[action]
    if (leg === undefined || legState === undefined) return []
    return conflictsByAction[action].flatMap((conflictOf) => conflictOf(leg, legState, state, legs) ?? [])
  })
