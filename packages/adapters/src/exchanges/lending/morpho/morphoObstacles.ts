import { lesser } from "@countersign/core/foundation/primitives"
import type { LendingLeg, LendingLegs, LendingSide } from "@countersign/core/trading/lending"
import { amountText } from "../lendingCalls.ts"
import type { MorphoMarket } from "./MorphoMarket.ts"
import { borrowableRoundingDown, neededRoundingUp } from "./morphoMath.ts"
import type { MorphoState } from "./morphoState.ts"

const NO_PRICE =
  "The oracle of this Morpho Blue market does not respond. Until it responds, borrowing is not possible, and collateral can be withdrawn only if there is no debt."

const unitsOf = (leg: LendingLeg | undefined): bigint => (leg === undefined || leg.amount === "MAX" ? 0n : leg.amount)

const borrowObstacles = (legs: LendingLegs, state: MorphoState, { params }: MorphoMarket): ReadonlyArray<string> => {
  const { borrow } = legs
  if (borrow === undefined) return []
  const requestedAmount = unitsOf(borrow)
  const collateral = state.collateral + unitsOf(legs.supply)
  if (state.price === null) return [NO_PRICE]
  const borrowable = borrowableRoundingDown(collateral, state.price, params.lltv)
  const room = borrowable > state.debt ? borrowable - state.debt : 0n
  return [
    ...(requestedAmount > state.available ? [liquidity(borrow, state)] : []),
    ...(collateral === 0n
      ? ["The wallet has no collateral in this Morpho Blue market. Supply collateral first."]
      : requestedAmount > room
        ? [`The collateral does not cover the loan: it secures at most ${amountText(room, borrow.token)} more.`]
        : [])
  ]
}

const liquidity = ({ token }: LendingLeg, { available }: MorphoState): string =>
  `Insufficient liquidity: only ${amountText(available, token)} can be withdrawn from this Morpho Blue market now.`

const repayObstacles = ({ repay }: LendingLegs, { debt }: MorphoState): ReadonlyArray<string> => {
  if (repay === undefined) return []
  if (debt === 0n) return [`The wallet owes no ${repay.token.symbol} in this Morpho Blue market.`]
  return unitsOf(repay) >= debt
    ? [
        `The wallet owes ${amountText(debt, repay.token)}. To repay the entire debt, send "MAX", because Morpho Blue rejects a larger amount.`
      ]
    : []
}

/** Requires that the remaining collateral secures the debt after the repayment in the same operation. */
const securityObstacles = (
  { repay, withdraw }: LendingLegs,
  { collateral, debt, price }: MorphoState,
  { params }: MorphoMarket
): ReadonlyArray<string> => {
  if (withdraw === undefined) return []
  const owed = repay === undefined ? debt : repay.amount === "MAX" || repay.amount > debt ? 0n : debt - repay.amount
  if (owed === 0n) return []
  if (price === null) return [NO_PRICE]
  const needed = price === 0n ? collateral : lesser(collateral, neededRoundingUp(owed, price, params.lltv))
  const withdrawnAmount = withdraw.amount === "MAX" ? collateral : withdraw.amount
  if (withdrawnAmount <= collateral - needed) return []
  const maxAmount = amountText(collateral - needed, withdraw.token)
  return [
    `The remaining collateral in Morpho Blue would not secure the debt. At most ${maxAmount} can be withdrawn. Withdraw less, or repay more.`
  ]
}

const withdrawObstacles = (
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
  if (side === "COLLATERAL") return securityObstacles(legs, state, market)
  const withdrawnAmount = withdraw.amount === "MAX" ? suppliedAmount : withdraw.amount
  return withdrawnAmount > state.available ? [liquidity(withdraw, state)] : []
}

/** Returns why the legs can't be executed, according to the state of the market and of the position. */
export const morphoObstacles = (
  legs: LendingLegs,
  state: MorphoState,
  market: MorphoMarket,
  side: LendingSide
): ReadonlyArray<string> => [
  ...borrowObstacles(legs, state, market),
  ...repayObstacles(legs, state),
  ...withdrawObstacles(legs, state, market, side)
]
