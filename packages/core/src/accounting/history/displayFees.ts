import type { Fee } from "../../foundation/fees/index.ts"
import { isSameAsset } from "../../foundation/tokens/index.ts"
import { finalStatuses, type Transaction } from "./Transaction.ts"

/** A fee as shown in a transaction. */
export type DisplayFee = Fee & {
  /** The quoted maximum, in base units. Null for fees other than gas. */
  readonly maximum: bigint | null
}

/**
 * Returns the fees of a transaction: the quoted amounts until the actual ones are known. The actual gas is the sum of
 * the gas movements, even for failed operations. Other fees are shown as quoted, or as zero if they were not charged.
 * Fees on the output of a liquidity position can differ from the quote by the slippage.
 */
export const displayFees = ({ fees, movements, status }: Transaction): ReadonlyArray<DisplayFee> => {
  const hasEnded = finalStatuses.has(status)
  const isCharged = !hasEnded || status === "COMPLETED" || movements.some(({ role }) => role === "FEE")
  return fees.map((fee) => {
    if (fee.type !== "GAS") return { ...fee, amount: isCharged ? fee.amount : 0n, maximum: null }
    const payments = movements.filter(({ asset, role }) => role === "GAS" && isSameAsset(asset, fee))
    const paidAmount = payments.reduce((sum, { amount }) => sum + amount, 0n)
    return { ...fee, amount: hasEnded ? paidAmount : fee.amount, maximum: fee.amount }
  })
}
