import type { Fee } from "../../foundation/fees/index.ts"
import { isSameAsset } from "../../foundation/tokens/index.ts"
import { finalStatuses, type Transaction } from "./Transaction.ts"

/** A fee as shown in a transaction. */
export type DisplayFee = Fee & {
  /** The quoted maximum, in base units. Null for a fee that is charged exactly as quoted, or not at all. */
  readonly maximum: bigint | null
}

/**
 * Returns the fees of a transaction: the quoted amounts until the actual ones are known. Gas is computed from the
 * movements, also for failed operations. Other fees are part of the calls, which execute as quoted or revert. Fees on
 * the output of a liquidity position are not movements of the wallet, and can differ from the quote by the slippage.
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
