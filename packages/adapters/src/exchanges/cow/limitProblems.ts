import type { RequestProblem } from "@countersign/core/foundation/errors"
import { decimalFromBaseUnits, percentFromRatio } from "@countersign/core/foundation/primitives"
import type { OrderLimit } from "@countersign/core/trading/swap"
import { MAX_PARTNER_BPS, wholeBpsOrNull } from "./appData.ts"

const requestProblem = (path: string, code: string, message: string): RequestProblem => ({ path, code, message })

/**
 * Validates the fees: CoW Protocol accepts partner fees in whole basis points only, and silently limits their sum to 1
 * %.
 */
export const limitProblems = ({ feeShares }: OrderLimit): ReadonlyArray<RequestProblem> => {
  const field = (type: "SERVICE" | "EXTRA") => (type === "SERVICE" ? "transactionFeePercent" : "extraFee.percentage")
  const fractionalFees = feeShares.filter(({ share }) => wholeBpsOrNull(share) === null)
  const totalBps = feeShares.reduce((sum, { share }) => sum + (wholeBpsOrNull(share) ?? 0n), 0n)
  return [
    ...fractionalFees.map(({ share, type }) =>
      requestProblem(
        field(type),
        "not_exact",
        `CoW Protocol supports fees in whole basis points (0.01 %), and a share of this fee is ${percentFromRatio(share)} %.`
      )
    ),
    ...(totalBps > MAX_PARTNER_BPS
      ? [
          requestProblem(
            field(feeShares[0]!.type),
            "too_high",
            `CoW Protocol supports partner fees of at most 1 % of a limit order, and the sum of the fees is ${decimalFromBaseUnits(totalBps, 2)} %.`
          )
        ]
      : [])
  ]
}
