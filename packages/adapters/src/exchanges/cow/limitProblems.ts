import type { RequestProblem } from "@countersign/core/foundation/errors"
import type { OrderLimit } from "@countersign/core/trading/swap"
import { MAX_PARTNER_BPS, wholeBpsOrNull } from "./appData.ts"

const requestProblem = (path: string, code: string, message: string): RequestProblem => ({ path, code, message })

/**
 * Validates the fees: CoW Protocol accepts partner fees in whole basis points only, and silently limits their sum to 1
 * %.
 */
export const limitProblems = ({ feeShares }: OrderLimit): ReadonlyArray<RequestProblem> => {
  const field = (type: "SERVICE" | "EXTRA") => (type === "SERVICE" ? "transactionFeePercent" : "extraFee.percentage")
  const fractionalFees = feeShares.filter(({ percent }) => wholeBpsOrNull(percent) === null)
  const total = feeShares.reduce((sum, { percent }) => sum + percent, 0)
  return [
    ...fractionalFees.map(({ percent, type }) =>
      requestProblem(
        field(type),
        "not_exact",
        `CoW Protocol supports fees in whole basis points (0.01 %), and a share of this fee is ${percent} %.`
      )
    ),
    ...(total * 100 > MAX_PARTNER_BPS
      ? [
          requestProblem(
            field(feeShares[0]!.type),
            "too_high",
            `CoW Protocol supports partner fees of at most 1 % of a limit order, and the sum of the fees is ${total} %.`
          )
        ]
      : [])
  ]
}
