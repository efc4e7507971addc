import type { Fee } from "../../foundation/fees/index.ts"
import { isSameAsset } from "../../foundation/tokens/index.ts"
import { endings, type Transaction } from "./Transaction.ts"

/** A fee as it is told of a transaction. */
export type ShownFee = Fee & {
  /** Its quoted maximum, in base units; null of a fee that is taken as quoted or not at all. */
  readonly maximum: bigint | null
}

/**
 * The fees of a transaction: what they took, once that is known, else what they may take. Gas is told by its movements,
 * also of operations that failed. The other fees are part of calls that run as quoted, or not at all; those of what comes out
 * of a position are no movement of the wallet's, and by the slippage more or less than quoted.
 */
export const shownFees = ({ fees, movements, status }: Transaction): ReadonlyArray<ShownFee> => {
  const hasEnded = endings.has(status)
  const isTaken = !hasEnded || status === "COMPLETED" || movements.some(({ role }) => role === "FEE")
  return fees.map((fee) => {
    if (fee.type !== "GAS") return { ...fee, amount: isTaken ? fee.amount : 0n, maximum: null }
    const payments = movements.filter(({ asset, role }) => role === "GAS" && isSameAsset(asset, fee))
    const paid = payments.reduce((sum, { amount }) => sum + amount, 0n)
    return { ...fee, amount: hasEnded ? paid : fee.amount, maximum: fee.amount }
  })
}
