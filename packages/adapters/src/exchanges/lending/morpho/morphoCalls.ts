import { type Address, MAX_UINT256 } from "@countersign/core/foundation/primitives"
import type { Call } from "@countersign/core/operations/user-operations"
import {
  type LendingAction,
  type LendingLeg,
  type LendingLegs,
  type LendingSide,
  lendingActions
} from "@countersign/core/trading/lending"
import { encoderOf } from "../../../chains/evm/index.ts"
import { amountText, callOf, withAllowance } from "../lendingCalls.ts"
import { morphoAbi } from "./abi.ts"
import { type MorphoMarket, paramsArgument } from "./MorphoMarket.ts"
import type { MorphoState } from "./morphoState.ts"

const morphoData = encoderOf(morphoAbi)

export interface MorphoCallTerms {
  readonly morpho: Address
  readonly account: Address
  readonly market: MorphoMarket
  readonly side: LendingSide
  readonly state: Pick<MorphoState, "borrowShares" | "collateral" | "supplyShares">
  /** Morpho's current allowance for the supplied or repaid token. */
  readonly allowance: bigint
}

const NO_DATA = "0x"

type LegCalls = (leg: LendingLeg, terms: MorphoCallTerms) => ReadonlyArray<Call>

const unitsOf = ({ amount }: LendingLeg): bigint => (amount === "MAX" ? 0n : amount)

const supplyCalls: LegCalls = (leg, { account, allowance, market, morpho, side }) => {
  const amount = unitsOf(leg)
  const params = paramsArgument(market.params)
  const isCollateral = side === "COLLATERAL"
  const data = isCollateral
    ? morphoData("supplyCollateral", [params, amount, account, NO_DATA])
    : morphoData("supply", [params, amount, 0n, account, NO_DATA])
  const summary = `${isCollateral ? "Supply collateral of" : "Lend"} ${amountText(amount, leg.token)} to Morpho Blue`
  return withAllowance(
    { token: leg.token, spender: morpho, amount, before: allowance, takesAll: true },
    callOf(morpho, data, summary)
  )
}

const borrowCalls: LegCalls = (leg, { account, market, morpho }) => {
  const amount = unitsOf(leg)
  const data = morphoData("borrow", [paramsArgument(market.params), amount, 0n, account, account])
  return [callOf(morpho, data, `Borrow ${amountText(amount, leg.token)} from Morpho Blue`)]
}

/** A full repayment specifies shares, because interest does not change the number of shares. */
const repayCalls: LegCalls = (leg, { account, allowance, market, morpho, state }) => {
  const isMax = leg.amount === "MAX"
  const amount = unitsOf(leg)
  const data = morphoData("repay", [
    paramsArgument(market.params),
    amount,
    isMax ? state.borrowShares : 0n,
    account,
    NO_DATA
  ])
  const amountName = isMax ? `the entire debt of ${leg.token.symbol}` : amountText(amount, leg.token)
  return withAllowance(
    { token: leg.token, spender: morpho, amount: isMax ? MAX_UINT256 : amount, before: allowance, takesAll: !isMax },
    callOf(morpho, data, `Repay ${amountName} to Morpho Blue`)
  )
}

const withdrawCalls: LegCalls = (leg, { account, market, morpho, side, state }) => {
  const isMax = leg.amount === "MAX"
  const params = paramsArgument(market.params)
  const amountName = isMax ? `all ${leg.token.symbol}` : amountText(unitsOf(leg), leg.token)
  const data =
    side === "COLLATERAL"
      ? morphoData("withdrawCollateral", [params, isMax ? state.collateral : unitsOf(leg), account, account])
      : morphoData("withdraw", [params, unitsOf(leg), isMax ? state.supplyShares : 0n, account, account])
  return [callOf(morpho, data, `Withdraw ${amountName} from Morpho Blue`)]
}

const callsByAction: Readonly<Record<LendingAction, LegCalls>> = {
  supply: supplyCalls,
  borrow: borrowCalls,
  repay: repayCalls,
  withdraw: withdrawCalls
}

export const morphoCalls = (legs: LendingLegs, terms: MorphoCallTerms): ReadonlyArray<Call> =>
  lendingActions.flatMap((action) => {
    const leg = legs[action]
    return leg === undefined ? [] : callsByAction[action](leg, terms)
  })
