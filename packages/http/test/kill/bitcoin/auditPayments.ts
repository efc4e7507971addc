import { auditSwaps, bitcoinLegs, type Payouts } from "./auditSwaps.ts"
import { type ChainTransaction, isSpentBy, paidTo } from "./esplora.ts"
import type { PaymentJournal, SignedPayment } from "./PaymentJournal.ts"

/** A transaction as the history of a wallet tells it. */
export interface PaymentRecord {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly transactionHash: { readonly hash: string } | null
  readonly movements: ReadonlyArray<{
    readonly direction: "IN" | "OUT"
    readonly amount: string
    /** Whose balance changed; the wallet's where it is left out. */
    readonly account?: string
  }>
  readonly legs?: ReadonlyArray<{
    readonly chain: { readonly id: number }
    readonly transactionHash: { readonly hash: string } | null
  }>
  readonly receivedAmount?: { readonly amount: string } | null
  readonly failure?: unknown
}

export interface WalletTold {
  readonly address: string
  readonly records: ReadonlyArray<PaymentRecord>
  /** Of the wallet, in blocks. */
  readonly mined: ReadonlyArray<ChainTransaction>
}

export interface PaymentsTold {
  readonly wallets: ReadonlyArray<WalletTold>
  /** Satoshis in blocks, by receiver. */
  readonly received: ReadonlyMap<string, number>
  /** What swaps paid on the other chain, by receiver. */
  readonly payouts: Payouts
}

const SWAP = "CROSS_SWAP"
const ENDED = new Set(["COMPLETED", "CANCELLED"])
const satoshisOf = (amount: string): number => Math.round(Number(amount) * 1e8)
const hashOf = ({ transactionHash }: PaymentRecord) => transactionHash?.hash.slice(2) ?? null

/** Each transaction of the chain once in the history, nothing in the history that is not on the chain, and the same money. */
const auditWallet = ({ address, mined, records }: WalletTold): ReadonlyArray<string> => {
  const told = Map.groupBy(
    records.filter(({ status, type }) => status === "COMPLETED" && type !== SWAP),
    hashOf
  )
  // A deposit, or what came back: the swap alone tells of it.
  const ofSwaps = new Set(records.filter(({ type }) => type === SWAP).flatMap(bitcoinLegs))
  const missing = mined.flatMap((transaction) => {
    const found = told.get(transaction.txid) ?? []
    if (ofSwaps.has(transaction.txid)) {
      return found.length === 0 ? [] : [`${address}: ${transaction.txid} is of a swap, and told besides`]
    }
    const type = isSpentBy(transaction, address) ? "TRANSFER" : "CRYPTO_DEPOSIT"
    const isSo = found.length === 1 && found[0]!.type === type
    return isSo
      ? []
      : [`${address}: ${type} ${transaction.txid} is told as ${found.map((one) => one.type).join() || "nothing"}`]
  })
  const onChain = new Set(mined.map(({ txid }) => txid))
  const strange = [...told.keys()].filter((hash) => hash === null || !onChain.has(hash))
  const moved = records
    .flatMap(({ movements }) => movements)
    .filter(({ account = address }) => account === address)
    .reduce((sum, { amount, direction }) => sum + satoshisOf(amount) * (direction === "IN" ? 1 : -1), 0)
  const held = mined.reduce(
    (sum, transaction) =>
      sum +
      paidTo(transaction, address) -
      transaction.vin.reduce(
        (spent, { prevout }) => spent + (prevout?.scriptpubkey_address === address ? prevout.value : 0),
        0
      ),
    0
  )
  return [
    ...missing,
    ...strange.map((hash) => `${address}: ${hash} is COMPLETED and not on the chain`),
    ...(moved === held ? [] : [`${address}: its history adds up to ${moved} satoshis, and the chain to ${held}`])
  ]
}

/** What was promised is in the history and has ended; of those that replace one another one alone has happened. */
const auditPayments = (
  payments: Iterable<SignedPayment>,
  { received, wallets }: PaymentsTold
): ReadonlyArray<string> => {
  const records = new Map(wallets.flatMap((wallet) => wallet.records.map((record) => [record.id, record] as const)))
  return [...Map.groupBy(payments, ({ receiver }) => receiver)].flatMap(([receiver, group]) => {
    const promised = group.filter(({ knowledge }) => knowledge === "PROMISED")
    const problems = promised.flatMap(({ quoteId, transactionId }) => {
      const record = records.get(transactionId ?? "")
      if (record === undefined) return [`${quoteId} was promised and is not in the history`]
      return ENDED.has(record.status) ? [] : [`${quoteId} is ${record.status}: ${JSON.stringify(record.failure)}`]
    })
    const { satoshis } = group[0]!
    const got = received.get(receiver) ?? 0
    const done = promised.filter(({ transactionId }) => records.get(transactionId ?? "")?.status === "COMPLETED")
    if (got !== 0 && got !== satoshis) problems.push(`${receiver} got ${got} and not ${satoshis}`)
    if (done.length > 1) problems.push(`${done.map(({ quoteId }) => quoteId).join()} have all happened`)
    if (done.length === 1 && done[0]!.isCancel === got > 0)
      problems.push(`${done[0]!.quoteId} has happened, and ${receiver} got ${got}`)
    return problems
  })
}

/** What is not as the payers were told, in words; empty where nothing was lost and nothing was done twice. */
export const audit = (journal: PaymentJournal, told: PaymentsTold): ReadonlyArray<string> => [
  ...journal.surprises,
  ...told.wallets.flatMap(auditWallet),
  ...auditPayments(journal.payments.values(), told),
  ...auditSwaps(journal.swaps.values(), told.wallets, told.payouts)
]
