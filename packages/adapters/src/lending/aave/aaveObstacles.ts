import { type LendingAction, type LendingLeg, type LendingLegs, lendingActions } from "@countersign/core/lending"
import { decimalFromBaseUnits } from "@countersign/core/primitives"
import { amountText } from "../lendingCalls.ts"
import { valueUsd8RoundingDown } from "./aaveFigures.ts"
import type { AaveState, LegState } from "./aaveState.ts"
import { userReserves } from "./reserveConfiguration.ts"

type Obstacle = (leg: LendingLeg, state: LegState, all: AaveState, legs: LendingLegs) => string | null

const unitsOf = ({ amount }: LendingLeg): bigint => (amount === "MAX" ? 0n : amount)

const wholeCap = (cap: bigint, { decimals }: LegState["reserve"]): bigint => cap * 10n ** BigInt(decimals)

const isOff: Obstacle = ({ token: { symbol } }, { configuration }) => {
  if (!configuration.isActive) return `Aave's market of ${symbol} is not active.`
  return configuration.isPaused ? `Aave has paused its market of ${symbol}: nothing can be done in it for now.` : null
}

const isFrozen: Obstacle = ({ token: { symbol } }, { configuration }) =>
  configuration.isFrozen
    ? `Aave has frozen its market of ${symbol}: it can be repaid and withdrawn, not supplied or borrowed.`
    : null

const supplyCap: Obstacle = (leg, { configuration, reserve, totalSupplied }) => {
  const cap = wholeCap(configuration.supplyCap, reserve)
  return cap > 0n && totalSupplied + unitsOf(leg) > cap
    ? `Aave's supply cap is exceeded: ${amountText(totalSupplied, leg.token)} of at most ${amountText(cap, leg.token)} are supplied already.`
    : null
}

const borrowCap: Obstacle = (leg, { configuration, reserve, totalDebt }) => {
  const cap = wholeCap(configuration.borrowCap, reserve)
  return cap > 0n && totalDebt + unitsOf(leg) > cap
    ? `Aave's borrow cap is exceeded: ${amountText(totalDebt, leg.token)} of at most ${amountText(cap, leg.token)} are borrowed already.`
    : null
}

const borrowing: Obstacle = ({ token: { symbol } }, { configuration }) =>
  configuration.canBorrow ? null : `Aave lends no ${symbol}.`

const liquidity: Obstacle = (leg, { available }) =>
  unitsOf(leg) > available
    ? `There is not enough liquidity: ${amountText(available, leg.token)} can be taken out of Aave's market at once.`
    : null

/** How much can be borrowed against what the same operation supplies; it secures nothing with a loan-to-value ratio of 0. */
const addedUsd8 = ({ supply }: LendingLegs, { legs }: AaveState): bigint =>
  supply === undefined || legs.supply === undefined
    ? 0n
    : (valueUsd8RoundingDown(unitsOf(supply), legs.supply.reserve, legs.supply.priceUsd8) *
        legs.supply.configuration.ltv) /
      BPS

/** What secures the loan: supplied before, or by the same operation. */
const collateral: Obstacle = (leg, { priceUsd8, reserve }, all, legs) => {
  const { account, isInEMode } = all
  const added = all.legs.supply
  if (added !== undefined && added.configuration.debtCeiling > 0n && account.collateralUsd8 === 0n) {
    return "What is supplied is isolated in Aave: it secures a loan only once its owner has turned it on as the only collateral."
  }
  const addable = addedUsd8(legs, all)
  if (addable === 0n && account.collateralUsd8 === 0n) {
    return added === undefined
      ? "The wallet has no collateral in Aave: supply some first."
      : "What is supplied is no collateral in Aave: its loan-to-value ratio is 0."
  }
  if (addable === 0n && account.ltv === 0n)
    return "The wallet's collateral in Aave has a loan-to-value ratio of 0: nothing can be borrowed against it."
  const asked = valueUsd8RoundingDown(unitsOf(leg), reserve, priceUsd8)
  const most = account.availableUsd8 + addable
  // In an e-mode what is added may secure more than its own ratio says.
  return asked > most && !(isInEMode && addable > 0n)
    ? `The collateral does not cover it: ${dollars(most)} can be borrowed against it, and this is ${dollars(asked)}.`
    : null
}

const isolation: Obstacle = ({ token: { symbol } }, { configuration, reserve }, { userWord }) => {
  const { borrowed } = userReserves(userWord)
  if (configuration.isSiloed && borrowed.some((id) => id !== reserve.id)) {
    return `${symbol} is siloed in Aave: it can't be borrowed beside another debt.`
  }
  return null
}

const supplied: Obstacle = (leg, state) =>
  state.supplied === 0n || unitsOf(leg) > state.supplied
    ? `The wallet has supplied ${amountText(state.supplied, leg.token)} to Aave, and not more.`
    : null

const owed: Obstacle = (leg, { debt }) => (debt === 0n ? `The wallet owes Aave no ${leg.token.symbol}.` : null)

const BPS = 10_000n
const CENT = 10n ** 6n

const dollars = (usd8: bigint): string => `$${decimalFromBaseUnits(usd8 / CENT, 2)}`

const obstaclesByAction: Readonly<Record<LendingAction, ReadonlyArray<Obstacle>>> = {
  supply: [isOff, isFrozen, supplyCap],
  borrow: [isOff, isFrozen, borrowing, borrowCap, liquidity, isolation, collateral],
  repay: [isOff, owed],
  withdraw: [isOff, supplied, liquidity]
}

/** Why legs can't be executed, as far as the state of their reserves and of the wallet tells. */
export const aaveObstacles = (legs: LendingLegs, state: AaveState): ReadonlyArray<string> =>
  lendingActions.flatMap((action) => {
    const leg = legs[action]
    const legState = state.legs[action]
    if (leg === undefined || legState === undefined) return []
    return obstaclesByAction[action].flatMap((obstacle) => obstacle(leg, legState, state, legs) ?? [])
  })
