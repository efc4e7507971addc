import { Effect } from "effect"
import { BadRequest } from "../../foundation/errors/index.ts"
import { decimalFromBaseUnits } from "../../foundation/primitives/index.ts"
import type { Token } from "../../foundation/tokens/index.ts"
import type { PlanParameters } from "../../operations/quotes/index.ts"
import type { Call } from "../../operations/user-operations/index.ts"
import type { LendingLegs, LendingOffer } from "./LendingMarket.ts"
import type { LendingRequest } from "./LendingRequest.ts"

export interface LendingPlan {
  /** The legs of the request. If a leg's amount pays the gas fee, it is reduced by the fee. */
  readonly legs: LendingLegs
  readonly calls: ReadonlyArray<Call>
}

/**
 * Returns the leg whose amount pays the gas fee. Null if the wallet pays the fee in addition to the amounts, or if no
 * leg can pay it.
 */
export const payingAction = (
  { gas }: Pick<LendingRequest, "gas">,
  legs: LendingLegs,
  payGasFeeToken: Token
): "supply" | "repay" | null => {
  if (gas.paymentMethod === "ADD_TO_AMOUNT") return null
  return (
    (["supply", "repay"] as const).find(
      (action) => legs[action]?.token.address === payGasFeeToken.address && legs[action]?.amount !== "MAX"
    ) ?? null
  )
}

/** Deducts the gas fee from the paying leg, and builds the calls. */
export const planLending =
  (
    offer: LendingOffer,
    legs: LendingLegs,
    gasPayingAction: "supply" | "repay" | null,
    payGasFeeToken: Token,
    maxDebt: bigint
  ) =>
  ({ maxGasFee }: Pick<PlanParameters, "maxGasFee">): Effect.Effect<LendingPlan, BadRequest> => {
    const leg = gasPayingAction === null ? undefined : legs[gasPayingAction]
    if (gasPayingAction === null || leg === undefined || leg.amount === "MAX") {
      return Effect.succeed({ legs, calls: offer.buildCalls(legs, maxDebt) })
    }
    const amount = leg.amount - maxGasFee
    if (amount <= 0n) {
      const gas = decimalFromBaseUnits(maxGasFee, payGasFeeToken.decimals)
      return Effect.fail(
        BadRequest.of(
          `${gasPayingAction}.amount`,
          "fees_exceed_amount",
          `The maximum gas fee of ${gas} equals or exceeds the amount of ${decimalFromBaseUnits(leg.amount, leg.token.decimals)} ${leg.token.symbol}. Increase the amount, or use ADD_TO_AMOUNT.`
        )
      )
    }
    const reducedLegs: LendingLegs = { ...legs, [gasPayingAction]: { ...leg, amount } }
    return Effect.succeed({ legs: reducedLegs, calls: offer.buildCalls(reducedLegs, maxDebt) })
  }
