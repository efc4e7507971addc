import { Effect } from "effect"
import { type Address, isNativeToken } from "../../../foundation/primitives/index.ts"
import type { Token } from "../../../foundation/tokens/index.ts"
import { type PlanParameters, Preparations } from "../../../operations/quotes/index.ts"
import {
  arrivalsAt,
  type Call,
  type OperationContext,
  sumOfArrivals,
  transferCall
} from "../../../operations/user-operations/index.ts"
import type { OfferError } from "../provider/Offer.ts"
import { SWAP_CALL_GAS } from "./swapPlan.ts"

type CallPlan = (planFor: PlanParameters) => Effect.Effect<ReadonlyArray<Call>, OfferError>

const noCalls: CallPlan = () => Effect.succeed([])

/** Simulates transfers of tokens to detect fee-on-transfer tokens. */
export const transferFees = Effect.gen(function* () {
  const preparations = yield* Preparations

  /** Simulates these calls and returns the token transfers. Empty if the calls revert. */
  const transfersOf = (context: OperationContext, calls: CallPlan) =>
    Effect.map(
      preparations.prepare(context, {
        callGas: SWAP_CALL_GAS,
        plan: (planFor) => Effect.map(calls(planFor), (each) => ({ calls: each })),
        listSpentAmounts: () => []
      }),
      ({ simulation }) => simulation.transfers
    )

  /**
   * Returns whether the wallet's transfer, after other calls, delivers less than its amount. False if the simulation
   * does not show the transfer.
   */
  const takesFee = Effect.fnUntraced(function* (
    context: OperationContext,
    token: Token,
    to: Address,
    amount: bigint,
    precedingCalls: CallPlan = noCalls
  ): Effect.fn.Return<boolean, OfferError> {
    if (isNativeToken(token.address) || amount === 0n) return false
    const withTransfer: CallPlan = (planFor) =>
      Effect.map(precedingCalls(planFor), (calls) => [...calls, transferCall(token, to, amount)])
    const transfers = yield* transfersOf(context, withTransfer)
    const arrivals = arrivalsAt(transfers, { token: token.address, to, from: context.account.address })
    return arrivals.length > 0 && sumOfArrivals(arrivals) < amount
  })

  return { takesFee, transfersOf }
})
