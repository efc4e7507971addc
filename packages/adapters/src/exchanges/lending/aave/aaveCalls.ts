import { type Address, MAX_UINT256 } from "@countersign/core/foundation/primitives"
import type { Call } from "@countersign/core/operations/user-operations"
import {
  type LendingAction,
  type LendingLeg,
  type LendingLegs,
  lendingActions
} from "@countersign/core/trading/lending"
import { encoderOf } from "../../../chains/evm/index.ts"
import { amountText, callOf, withAllowance } from "../lendingCalls.ts"
import { aaveAbi } from "./abi.ts"

const aaveData = encoderOf(aaveAbi)

const VARIABLE_RATE = 2n
const NO_REFERRAL = 0

interface AaveCallTerms {
  readonly pool: Address
  readonly account: Address
  /** Returns the pool's current allowance for the token of a leg. */
  readonly allowanceOf: (action: LendingAction) => bigint
}

const unitsOf = ({ amount }: LendingLeg): bigint => (amount === "MAX" ? MAX_UINT256 : amount)

const amountTextOf = ({ amount, token }: LendingLeg, maxText: string): string =>
  amount === "MAX" ? `${maxText} ${token.symbol}` : amountText(amount, token)

type LegCalls = (leg: LendingLeg, terms: AaveCallTerms) => ReadonlyArray<Call>

const supplyCalls: LegCalls = (leg, { account, allowanceOf, pool }) => {
  const amount = unitsOf(leg)
  const data = aaveData("supply", [leg.token.address, amount, account, NO_REFERRAL])
  return withAllowance(
    { token: leg.token, spender: pool, amount, before: allowanceOf("supply"), takesAll: true },
    callOf(pool, data, `Supply ${amountText(amount, leg.token)} to Aave V3`)
  )
}

const borrowCalls: LegCalls = (leg, { account, pool }) => {
  const data = aaveData("borrow", [leg.token.address, unitsOf(leg), VARIABLE_RATE, NO_REFERRAL, account])
  return [callOf(pool, data, `Borrow ${amountTextOf(leg, "all")} from Aave V3`)]
}

/** The pool takes at most the debt, which may be less than the amount when the operation is executed. */
const repayCalls: LegCalls = (leg, { account, allowanceOf, pool }) => {
  const amount = unitsOf(leg)
  const data = aaveData("repay", [leg.token.address, amount, VARIABLE_RATE, account])
  return withAllowance(
    { token: leg.token, spender: pool, amount, before: allowanceOf("repay"), takesAll: false },
    callOf(pool, data, `Repay ${amountTextOf(leg, "the entire debt of")} to Aave V3`)
  )
}

const withdrawCalls: LegCalls = (leg, { account, pool }) => {
  const data = aaveData("withdraw", [leg.token.address, unitsOf(leg), account])
  return [callOf(pool, data, `Withdraw ${amountTextOf(leg, "all")} from Aave V3`)]
}

const callsByAction: Readonly<Record<LendingAction, LegCalls>> = {
  supply: supplyCalls,
  borrow: borrowCalls,
  repay: repayCalls,
  withdraw: withdrawCalls
}

export const aaveCalls = (legs: LendingLegs, terms: AaveCallTerms): ReadonlyArray<Call> =>
  lendingActions.flatMap((action) => {
    const leg = legs[action]
    return leg === undefined ? [] : callsByAction[action](leg, terms)
  })
