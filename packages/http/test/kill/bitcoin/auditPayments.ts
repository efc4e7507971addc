import { auditSwaps, bitcoinTxidsOf, type Payouts } from "./auditSwaps.ts"
import { type ChainTransaction, isSpentBy, satoshisPaid } from "./esplora.ts"
import type { PaymentJournal, SignedPayment } from "./PaymentJournal.ts"

/** A transaction in the history of a wallet. */
export interface PaymentRecord {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly transactionHash: { readonly hash: string } | null
  readonly movements: ReadonlyArray<{
    readonly direction: "IN" | "OUT"
    readonly amount: string
    /** Account whose balance changed. Default: the wallet. */
    readonly account?: string
  }>
  readonly legs?: ReadonlyArray<{
    readonly chain: { readonly id: number }
    readonly transactionHash: { readonly hash: string } | null
  }>
  readonly receivedAmount?: { readonly amount: string } | null
  readonly failure?: unknown
}

export interface AuditedWallet {
  readonly address: string
  readonly records: ReadonlyArray<PaymentRecord>
  /** Confirmed transactions of the wallet. */
  readonly minedTransactions: ReadonlyArray<ChainTransaction>
}

export interface AuditInput {
  readonly wallets: ReadonlyArray<AuditedWallet>
  /** Satoshis that were received in confirmed transactions, by address. */
  readonly received: ReadonlyMap<string, number>
  /** Payouts of swaps on the other chain, by address. */
  readonly payouts: Payouts
}

const SWAP = "CROSS_SWAP"
const ENDED_STATUSES = new Set(["COMPLETED", "CANCELLED"])
const satoshisOf = (amount: string): number => Math.round(Number(amount) * 1e8)
const hashOf = ({ transactionHash }: PaymentRecord) => transactionHash?.hash.slice(2) ?? null

/**
 * Checks that the history contains each on-chain transaction once and no other completed payment, and that all
 * movements add up to the wallet's balance.
 */
const auditWallet = ({ address, minedTransactions, records }: AuditedWallet): ReadonlyArray<string> => {
  const recordsByHash = Map.groupBy(
    records.filter(({ status, type }) => status === "COMPLETED" && type !== SWAP),
    hashOf
  )
  // The deposit or refund of a swap is recorded only as a leg of the swap.
  const swapTransactions = new Set(records.filter(({ type }) => type === SWAP).flatMap(bitcoinTxidsOf))
  const transactionProblems = minedTransactions.flatMap((transaction) => {
    const matches = recordsByHash.get(transaction.txid) ?? []
    if (swapTransactions.has(transaction.txid)) {
      return matches.length === 0
        ? []
        : [`${address}: ${transaction.txid} belongs to a swap, and is also recorded separately`]
    }
    const type = isSpentBy(transaction, address) ? "TRANSFER" : "CRYPTO_DEPOSIT"
    const isRecordedOnce = matches.length === 1 && matches[0]!.type === type
    return isRecordedOnce
      ? []
      : [`${address}: ${type} ${transaction.txid} is recorded as ${matches.map((one) => one.type).join() || "nothing"}`]
  })
  const minedTxids = new Set(minedTransactions.map(({ txid }) => txid))
  const unknownHashes = [...recordsByHash.keys()].filter((hash) => hash === null || !minedTxids.has(hash))
  const movedAmount = records
    .flatMap(({ movements }) => movements)
    .filter(({ account = address }) => account === address)
    .reduce((sum, { amount, direction }) => sum + satoshisOf(amount) * (direction === "IN" ? 1 : -1), 0)
  const balance = minedTransactions.reduce(
    (sum, transaction) =>
      sum +
      satoshisPaid(transaction, address) -
      transaction.vin.reduce(
        (spent, { prevout }) => spent + (prevout?.scriptpubkey_address === address ? prevout.value : 0),
        0
      ),
    0
  )
  return [
    ...transactionProblems,
    ...unknownHashes.map((hash) => `${address}: ${hash} is COMPLETED and not on the chain`),
    ...(movedAmount === balance
      ? []
      : [`${address}: its history adds up to ${movedAmount} satoshis, and the chain to ${balance}`])
  ]
}

/** Checks that each accepted payment has ended, and that at most one of a payment and its replacements was executed. */
const auditPayments = (payments: Iterable<SignedPayment>, { received, wallets }: AuditInput): ReadonlyArray<string> => {
  const records = new Map(wallets.flatMap((wallet) => wallet.records.map((record) => [record.id, record] as const)))
  return [...Map.groupBy(payments, ({ receiver }) => receiver)].flatMap(([receiver, group]) => {
    const promisedPayments = group.filter(({ knowledge }) => knowledge === "PROMISED")
    const problems = promisedPayments.flatMap(({ quoteId, transactionId }) => {
      const record = records.get(transactionId ?? "")
      if (record === undefined) return [`${quoteId} was promised and is not in the history`]
      return ENDED_STATUSES.has(record.status)
        ? []
        : [`${quoteId} is ${record.status}: ${JSON.stringify(record.failure)}`]
    })
    const { satoshis } = group[0]!
    const receivedAmount = received.get(receiver) ?? 0
    const completedPayments = promisedPayments.filter(
      ({ transactionId }) => records.get(transactionId ?? "")?.status === "COMPLETED"
    )
    if (receivedAmount !== 0 && receivedAmount !== satoshis)
      problems.push(`${receiver} got ${receivedAmount} and not ${satoshis}`)
    if (completedPayments.length > 1)
      problems.push(`${completedPayments.map(({ quoteId }) => quoteId).join()} have all happened`)
    if (completedPayments.length === 1 && completedPayments[0]!.isCancel === receivedAmount > 0)
      problems.push(`${completedPayments[0]!.quoteId} has happened, and ${receiver} got ${receivedAmount}`)
    return problems
  })
}

/** Returns contradictions to the responses that payers got. Empty if no payment was lost or executed twice. */
export const audit = (journal: PaymentJournal, input: AuditInput): ReadonlyArray<string> => [
  ...journal.surprises,
  ...input.wallets.flatMap(auditWallet),
  ...auditPayments(journal.payments.values(), input),
  ...auditSwaps(journal.swaps.values(), input.wallets, input.payouts)
]
