import type { Fee, FeeCollectors, FeeRequest } from "../../../foundation/fees/index.ts"
import { type Address, type Ratio, ratioFromPercent } from "../../../foundation/primitives/index.ts"
import type { Token } from "../../../foundation/tokens/index.ts"
import type { OutputFee } from "../LiquidityMarket.ts"

interface FeeShare extends OutputFee {
  readonly type: "SERVICE" | "EXTRA"
}

const multiplyRatios = (a: Ratio, b: Ratio): Ratio => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator
})

const complement = ({ denominator, numerator }: Ratio): Ratio => ({ numerator: denominator - numerator, denominator })

/**
 * Returns the fees as shares of a position's output: the treasury's and the operator's share of
 * `transactionFeePercent`, and `extraFee`. Without a treasury, there is no service fee.
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

/**
 * Returns the fees for display, in one token. `payments` contains the amount of each share, in the order of `shares`.
 */
export const feesForDisplay = (
  { address: token, chainId }: Token,
  shares: ReadonlyArray<FeeShare>,
  payments: ReadonlyArray<bigint>,
  { extraFee, transactionFeePercent }: FeeRequest
): ReadonlyArray<Fee> =>
  (["SERVICE", "EXTRA"] as const).flatMap((type) => {
    const first = shares.find((share) => share.type === type)
    if (first === undefined) return []
    const amount = payments.reduce((sum, payment, i) => (shares[i]!.type === type ? sum + payment : sum), 0n)
    const percentage = type === "SERVICE" ? transactionFeePercent : extraFee!.percentage
    return [{ type, chainId, token, amount, toAddress: first.recipient, percentage: String(percentage) }]
  })
