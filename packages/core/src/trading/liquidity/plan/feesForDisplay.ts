import type { Fee, FeeRequest, FeeShare } from "../../../foundation/fees/index.ts"
import { percentText } from "../../../foundation/primitives/index.ts"
import type { Token } from "../../../foundation/tokens/index.ts"

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
    return [{ type, chainId, token, amount, toAddress: first.recipient, percentage: percentText(percentage) }]
  })
