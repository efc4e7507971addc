import { type LendingAction, type LendingLegs, lendingActions } from "@countersign/core/trading/lending"
import { amountText } from "../lendingCalls.ts"
import { loanIsSecured, staysSecured } from "./aaveSecurity.ts"
import type { AaveState, LegState } from "./aaveState.ts"
import { type Obstacle, takenOf, unitsOf } from "./Obstacle.ts"
import { userReserves } from "./reserveConfiguration.ts"

const wholeCap = (cap: bigint, { decimals }: LegState["reserve"]): bigint => cap * 10n ** BigInt(decimals)

const isOff: Obstacle = ({ token: { symbol } }, { configuration }) => {
  if (!configuration.isActive) return `Aave's market for ${symbol} is not active.`
  return configuration.isPaused
    ? `Aave has paused its market for ${symbol}: it accepts no operations until Aave unpauses it.`
    : null
}

const isFrozen: Obstacle = ({ token: { symbol } }, { configuration }) =>
  configuration.isFrozen
    ? `Aave has frozen its market for ${symbol}: only repayments and withdrawals are possible.`
    : null

const supplyCap: Obstacle = (leg, { configuration, reserve, totalSupplied }) => {
  const cap = wholeCap(configuration.supplyCap, reserve)
  return cap > 0n && totalSupplied + unitsOf(leg) > cap
    ? `Aave's supply cap is exceeded: ${amountText(totalSupplied, leg.token)} of at most ${amountText(cap, leg.token)} are already supplied.`
    : null
}

const borrowCap: Obstacle = (leg, { configuration, reserve, totalDebt }) => {
  const cap = wholeCap(configuration.borrowCap, reserve)
  return cap > 0n && totalDebt + unitsOf(leg) > cap
    ? `Aave's borrow cap is exceeded: ${amountText(totalDebt, leg.token)} of at most ${amountText(cap, leg.token)} are already borrowed.`
    : null
}

const borrowing: Obstacle = ({ token: { symbol } }, { configuration }) =>
  configuration.canBorrow ? null : `Aave does not lend ${symbol}.`

const liquidity: Obstacle = (leg, { available, supplied }) =>
  takenOf(leg, supplied) > available
    ? `Insufficient liquidity: only ${amountText(available, leg.token)} can be withdrawn from Aave's market now.`
    : null

const isolation: Obstacle = ({ token: { symbol } }, { configuration, reserve }, { userWord }) => {
  const { borrowed } = userReserves(userWord)
  if (configuration.isSiloed && borrowed.some((id) => id !== reserve.id)) {
    return `${symbol} is siloed in Aave: it can't be borrowed together with another token.`
  }
  return null
}

const hasSupply: Obstacle = (leg, state) => {
  if (state.supplied === 0n) return `The wallet has supplied no ${leg.token.symbol} to Aave.`
  return unitsOf(leg) > state.supplied
    ? `The wallet has supplied ${amountText(state.supplied, leg.token)} to Aave, which is less than the requested amount.`
    : null
}

const owed: Obstacle = (leg, { debt }) => (debt === 0n ? `The wallet owes Aave no ${leg.token.symbol}.` : null)

const obstaclesByAction: Readonly<Record<LendingAction, ReadonlyArray<Obstacle>>> = {
  supply: [isOff, isFrozen, supplyCap],
  borrow: [isOff, isFrozen, borrowing, borrowCap, liquidity, isolation, loanIsSecured],
  repay: [isOff, owed],
  withdraw: [isOff, hasSupply, liquidity, staysSecured]
}

/** Returns why the legs can't be executed, according to the state of their reserves and of the wallet. */
export const aaveObstacles = (legs: LendingLegs, state: AaveState): ReadonlyArray<string> =>
  lendingActions.flatMap((action) => {
    const leg = legs[action]
    const legState = state.legs[action]
    if (leg === undefined || legState === undefined) return []
    return obstaclesByAction[action].flatMap((obstacle) => obstacle(leg, legState, state, legs) ?? [])
  })
