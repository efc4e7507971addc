import { type LendingAction, type LendingLeg, type LendingLegs, lendingActions } from "@countersign/core/lending"
import { decimalFromBaseUnits } from "@countersign/core/primitives"
import { amountText } from "../lendingCalls.ts"
import { valueUsd8RoundingDown } from "./aaveFigures.ts"
import type { AaveState, LegState } from "./aaveState.ts"
import { userReserves } from "./reserveConfiguration.ts"

type Obstacle = (leg: LendingLeg, state: LegState, all: AaveState, legs: LendingLegs) => string | null

const unitsOf = ({ amount }: LendingLeg): bigint => (amount === "MAX" ? 0n : amount)

/** What a withdrawal takes, of what is supplied. */
const takenOf = ({ amount }: LendingLeg, supplied: bigint): bigint => (amount === "MAX" ? supplied : amount)

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

const liquidity: Obstacle = (leg, { available, supplied }) =>
  takenOf(leg, supplied) > available
    ? `There is not enough liquidity: ${amountText(available, leg.token)} can be taken out of Aave's market at once.`
    : null

/** How much can be borrowed against what the same operation supplies; it secures nothing with a loan-to-value ratio of 0. */
const addedUsd8 = ({ supply }: LendingLegs, { legs }: AaveState): bigint =>
  supply === undefined || legs.supply === undefined
    ? 0n
    : (valueUsd8RoundingDown(unitsOf(supply), legs.supply.reserve, legs.supply.priceUsd8) *
        legs.supply.configuration.ltv) /
      BPS

/** A supply turns the first of its token on as collateral, and not what its owner has turned off. */
const isTurnedOff = ({ legs: { supply }, userWord }: AaveState): boolean =>
  supply !== undefined && supply.supplied > 0n && !userReserves(userWord).collateral.includes(supply.reserve.id)

/** What secures the loan: supplied before, or by the same operation. */
const collateral: Obstacle = (leg, { priceUsd8, reserve }, all, legs) => {
  const { account, isInEMode } = all
  const added = all.legs.supply
  if (added !== undefined && added.configuration.debtCeiling > 0n && account.collateralUsd8 === 0n) {
    return "What is supplied is isolated in Aave: it secures a loan only once its owner has turned it on as the only collateral."
  }
  const addable = isTurnedOff(all) ? 0n : addedUsd8(legs, all)
  if (addable === 0n && account.collateralUsd8 === 0n) {
    return added === undefined
      ? "The wallet has no collateral in Aave: supply some first, or turn on what it has supplied as collateral (setUserUseReserveAsCollateral)."
      : isTurnedOff(all)
        ? `${legs.supply?.token.symbol} of the wallet is turned off as collateral in Aave, and a supply does not turn it on: its owner has to (setUserUseReserveAsCollateral).`
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

const supplied: Obstacle = (leg, state) => {
  if (state.supplied === 0n) return `The wallet has supplied no ${leg.token.symbol} to Aave.`
  return unitsOf(leg) > state.supplied
    ? `The wallet has supplied ${amountText(state.supplied, leg.token)} to Aave, and not more.`
    : null
}

const owed: Obstacle = (leg, { debt }) => (debt === 0n ? `The wallet owes Aave no ${leg.token.symbol}.` : null)

/** What is owed once the same operation has repaid. */
const owedUsd8 = ({ repay }: LendingLegs, { account, legs }: AaveState): bigint => {
  if (repay === undefined || legs.repay === undefined) return account.debtUsd8
  const { debt, priceUsd8, reserve } = legs.repay
  const repaid = repay.amount === "MAX" || repay.amount > debt ? debt : repay.amount
  const left = account.debtUsd8 - valueUsd8RoundingDown(repaid, reserve, priceUsd8)
  // Of a debt that is repaid whole, rounding may leave a unit of its value.
  return left > 1n ? left : 0n
}

/** What stays must secure what is owed. In an e-mode the reserve's own threshold does not say by how much it does. */
const secured: Obstacle = (leg, state, all, legs) => {
  const { configuration, priceUsd8, reserve, supplied } = state
  const { account, isInEMode, userWord } = all
  const owed = owedUsd8(legs, all)
  const threshold = configuration.liquidationThreshold
  if (isInEMode || owed === 0n || threshold === 0n || !userReserves(userWord).collateral.includes(reserve.id))
    return null
  const spare = account.collateralUsd8 * account.liquidationThreshold - owed * BPS
  const most = spare > 0n ? spare / threshold : 0n
  return valueUsd8RoundingDown(takenOf(leg, supplied), reserve, priceUsd8) > most
    ? `What stays in Aave would not secure the debt of ${dollars(owed)}: about ${dollars(most)} of ${leg.token.symbol} can be withdrawn. Withdraw less, or repay more.`
    : null
}

const BPS = 10_000n
const CENT = 10n ** 6n

const dollars = (usd8: bigint): string => `$${decimalFromBaseUnits(usd8 / CENT, 2)}`

const obstaclesByAction: Readonly<Record<LendingAction, ReadonlyArray<Obstacle>>> = {
  supply: [isOff, isFrozen, supplyCap],
  borrow: [isOff, isFrozen, borrowing, borrowCap, liquidity, isolation, collateral],
  repay: [isOff, owed],
  withdraw: [isOff, supplied, liquidity, secured]
}

/** Why legs can't be executed, as far as the state of their reserves and of the wallet tells. */
export const aaveObstacles = (legs: LendingLegs, state: AaveState): ReadonlyArray<string> =>
  lendingActions.flatMap((action) => {
    const leg = legs[action]
    const legState = state.legs[action]
    if (leg === undefined || legState === undefined) return []
    return obstaclesByAction[action].flatMap((obstacle) => obstacle(leg, legState, state, legs) ?? [])
  })
