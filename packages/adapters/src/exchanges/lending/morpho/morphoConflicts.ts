import { minBigInt } from "@countersign/core/foundation/primitives"
import type { LendingLeg, LendingLegs, LendingSide } from "@countersign/core/trading/lending"
import { amountText } from "../lendingCalls.ts"
import type { MorphoMarket } from "./MorphoMarket.ts"
import { borrowableRoundingDown, neededCollateralRoundingUp } from "./morphoMath.ts"
import type { MorphoState } from "./morphoState.ts"

const NO_PRICE =
  "The oracle of this Morpho Blue market does not respond. Until it responds, borrowing is not possible, and collateral can be withdrawn only if there is no debt."

const unitsOf = (leg: LendingLeg | undefined): bigint => (leg === undefined || leg.amount === "MAX" ? 0n : leg.amount)

const borrowConflicts = (legs: LendingLegs, state: MorphoState, { params }: MorphoMarket): ReadonlyArray<string> => {
  const { borrow } = legs
  if (borrow === undefined) return []
  const requestedAmount = unitsOf(borrow)
  const collateral = state.collateral + unitsOf(legs.supply)
  if (state.price === null) return [NO_PRICE]
  const maxDebt = borrowableRoundingDown(collateral, state.price, params.lltv)
  const borrowableAmount = maxDebt > state.debt ? maxDebt - state.debt : 0n
  return [
    ...(requestedAmount > state.available ? [liquidityConflict(borrow, state)] : []),
    ...(collateral === 0n
      ? ["The wallet has no collateral in this Morpho Blue market. Supply collateral first."]
      : requestedAmount > borrowableAmount
        ? [
            `The collateral does not cover the loan: it secures at most ${amountText(borrowableAmount, borrow.token)} more.`
          ]
        : [])
  ]
}

const liquidityConflict = ({ token }: LendingLeg, { available }: MorphoState): string =>
  `Insufficient liquidity: only ${amountText(available, token)} can be withdrawn from this Morpho Blue market now.`

const repayConflicts = ({ repay }: LendingLegs, { debt }: MorphoState): ReadonlyArray<string> => {
  if (repay === undefined) return []
  if (debt === 0n) return [`The wallet owes no ${repay.token.symbol} in this Morpho Blue market.`]
  return unitsOf(repay) >= debt
    ? [
        `The wallet owes ${amountText(debt, repay.token)}. To repay the entire debt, send "MAX", because Morpho Blue rejects a larger amount.`
      ]
    : []
}

/** Requires that the remaining collateral secures the debt after the repayment in the same operation. */
const securityConflicts = (
  { repay, withdraw }: LendingLegs,
  { collateral, debt, price }: MorphoState,
  { params }: MorphoMarket
): ReadonlyArray<string> => {
  if (withdraw === undefined) return []
  const remainingDebt =
    repay === undefined ? debt : repay.amount === "MAX" || repay.amount > debt ? 0n : debt - repay.amount
  if (remainingDebt === 0n) return []
  if (price === null) return [NO_PRICE]
  const neededCollateral =
    price === 0n ? collateral : minBigInt(collateral, neededCollateralRoundingUp(remainingDebt, price, params.lltv))
  const withdrawnAmount = withdraw.amount === "MAX" ? collateral : withdraw.amount
  if (withdrawnAmount <= collateral - neededCollateral) return []
  const maxAmount = amountText(collateral - neededCollateral, withdraw.token)
  return [
    `The remaining collateral in Morpho Blue would not secure the debt. At most ${maxAmount} can be withdrawn. Withdraw less, or repay more.`
  ]
}

const withdrawConflicts = (
  legs: LendingLegs,
  state: MorphoState,
  market: MorphoMarket,
  side: LendingSide
): ReadonlyArray<string> => {
  const { withdraw } = legs
  if (withdraw === undefined) return []
  const suppliedAmount = side === "COLLATERAL" ? state.collateral : state.supplied
  if (suppliedAmount === 0n) return [`The wallet has supplied no ${withdraw.token.symbol} to this Morpho Blue market.`]
  if (unitsOf(withdraw) > suppliedAmount) {
    return [
      `The wallet has supplied ${amountText(suppliedAmount, withdraw.token)} to this Morpho Blue market, which is less than the requested amount.`
    ]
  }
  if (side === "COLLATERAL") return securityConflicts(legs, state, market)
  const withdrawnAmount = withdraw.amount === "MAX" ? suppliedAmount : withdraw.amount
  return withdrawnAmount > state.available ? [liquidityConflict(withdraw, state)] : []
}

/** Returns why the legs can't be executed, according to the state of the market and of the position. */
export const morphoConflicts = (
  legs: LendingLegs,
  state: MorphoState,
  market: MorphoMarket,
  side: LendingSide
): ReadonlyArray<string> => [
  ...borrowConflicts(legs, state, market),
  ...repayConflicts(legs, state),
  ...withdrawConflicts(legs, state, market, side)
]
