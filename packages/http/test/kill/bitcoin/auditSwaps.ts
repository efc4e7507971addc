import { parseUnits } from "viem"
import type { AuditedWallet, PaymentRecord } from "./auditPayments.ts"
import type { SignedSwap } from "./PaymentJournal.ts"

/** Payments of a token in base units, by receiver. */
export type Payouts = ReadonlyMap<string, ReadonlyArray<bigint>>

const DECIMALS = 6
const ENDED_STATUSES = new Set(["COMPLETED", "REFUNDED"])

/** Returns the Bitcoin transaction ids in a swap's record, without 0x. */
export const bitcoinTxidsOf = ({ legs = [] }: PaymentRecord): ReadonlyArray<string> =>
  legs.flatMap(({ chain, transactionHash }) => (chain.id === 0 ? (transactionHash?.hash?.slice(2) ?? []) : []))

const auditEnd = (
  { minAmountOut, quoteId, receiver, wallet }: SignedSwap,
  { failure, movements, receivedAmount, status }: PaymentRecord,
  payouts: ReadonlyArray<bigint>
): ReadonlyArray<string> => {
  const returnedMovements = movements.filter(({ account, direction }) => direction === "IN" && account === wallet)
  if (status === "COMPLETED") {
    const [payout, ...others] = payouts
    const reportedAmount = parseUnits(receivedAmount?.amount ?? "0", DECIMALS)
    if (payout === undefined || others.length > 0)
      return [`${quoteId} is COMPLETED, and ${receiver} was paid ${payouts.length} times`]
    if (payout !== reportedAmount) return [`${quoteId} records ${reportedAmount}, and ${receiver} got ${payout}`]
    if (payout < parseUnits(minAmountOut, DECIMALS)) return [`${quoteId} gave ${payout}, less than ${minAmountOut}`]
    return returnedMovements.length === 0 ? [] : [`${quoteId} is COMPLETED, and was paid back`]
  }
  if (status !== "REFUNDED") return [`${quoteId} is ${status}: ${JSON.stringify(failure)}`]
  if (payouts.length > 0) return [`${quoteId} is REFUNDED, and ${receiver} was paid ${payouts.join()}`]
  return returnedMovements.length === 1
    ? []
    : [`${quoteId} is REFUNDED, and records ${returnedMovements.length} refunds`]
}

/**
 * Checks that each accepted swap has ended once: with one payout of the recorded amount, or with a refund. A swap
 * without a record must neither be on Bitcoin nor be paid out.
 */
export const auditSwaps = (
  swaps: Iterable<SignedSwap>,
  wallets: ReadonlyArray<AuditedWallet>,
  payouts: Payouts
): ReadonlyArray<string> =>
  [...swaps].flatMap((swap) => {
    const { knowledge, quoteId, receiver, transactionId, txid, wallet } = swap
    const auditedWallet = wallets.find(({ address }) => address === wallet)
    const records = (auditedWallet?.records ?? []).filter(
      (record) => record.id === transactionId || bitcoinTxidsOf(record)[0] === txid
    )
    const isMined = (auditedWallet?.minedTransactions ?? []).some((transaction) => transaction.txid === txid)
    const paidAmounts = payouts.get(receiver) ?? []
    const [record, ...others] = records
    if (others.length > 0) return [`${quoteId} has ${records.length} records`]
    if (record === undefined) {
      if (knowledge === "PROMISED") return [`${quoteId} was promised and is not in the history`]
      return isMined || paidAmounts.length > 0 ? [`${quoteId} has no record, and has happened`] : []
    }
    if (transactionId !== null && record.id !== transactionId) return [`${quoteId} is recorded as ${record.id}`]
    if (ENDED_STATUSES.has(record.status) && !isMined) return [`${quoteId} is ${record.status} and not on the chain`]
    return auditEnd(swap, record, paidAmounts)
  })
