import { type Address, type Ratio, ratioFromPercent } from "../primitives/index.ts"
import type { FeeCollectors } from "./CollectedFees.ts"
import type { FeeRequest } from "./FeeRequest.ts"

/** A fee as a share of an amount, with its recipient. */
export interface FeeShare {
  readonly type: "SERVICE" | "EXTRA"
  readonly recipient: Address
  /** Fraction of the amount before any fees. */
  readonly share: Ratio
}

const multiplyRatios = (a: Ratio, b: Ratio): Ratio => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator
})

const complement = ({ denominator, numerator }: Ratio): Ratio => ({ numerator: denominator - numerator, denominator })

/**
 * Returns the fees of a request as exact shares of an amount: the treasury's and the operator's share of
 * `transactionFeePercent`, and `extraFee`. Omits zero fees. Without a treasury, there is no service fee.
 */
export const feeShares = (
  { extraFee, transactionFeePercent }: FeeRequest,
  { operatorSharePercent, operatorTreasury, treasury }: FeeCollectors
): ReadonlyArray<FeeShare> => {
  const feeRatio = ratioFromPercent(transactionFeePercent)
  const operatorRatio = ratioFromPercent(operatorTreasury === null ? 0 : operatorSharePercent)
  const service = (recipient: Address | null, share: Ratio): ReadonlyArray<FeeShare> =>
    recipient === null || treasury === null ? [] : [{ type: "SERVICE", recipient, share }]
  return [
    ...service(treasury, multiplyRatios(feeRatio, complement(operatorRatio))),
    ...service(operatorTreasury, multiplyRatios(feeRatio, operatorRatio)),
    ...(extraFee === undefined
      ? []
      : [{ type: "EXTRA" as const, recipient: extraFee.toAddress, share: ratioFromPercent(extraFee.percentage) }])
  ].filter(({ share }) => share.numerator > 0n)
}
