import { DateTime, Effect } from "effect"
import type { Transaction } from "../../accounting/history/index.ts"
import type { BitcoinAddress, HexBytes } from "../../foundation/primitives/index.ts"
import { ExecutionStore } from "../../operations/executions/index.ts"
import { type Quote, QuoteStore } from "../../operations/quotes/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { ActivityStore } from "../../wallets/chain-activity/index.ts"
import { type BitcoinTransaction, BitcoinTransactions } from "../chain/index.ts"
import { outpointText, quotedInputs } from "../payments/index.ts"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"

/** Prefix of scripts that carry data and no value. */
const OP_RETURN = "0x6a"

/**
 * Maximum deductions of a bridge from a refund: its fee as a divisor of the amount (1/20), and the miner fee in
 * satoshis.
 */
const [MAX_BRIDGE_FEE_DIVISOR, MAX_MINER_FEE] = [20n, 20_000n]

const isWithinFees = (amount: bigint, total: bigint): boolean =>
  amount + total / MAX_BRIDGE_FEE_DIVISOR + MAX_MINER_FEE >= total

/**
 * Returns whether the amount matches a refund of a pending swap from the address. A bridge refunds no more than it
 * received.
 */
const matchesRefund = ({ transaction }: Quote, address: BitcoinAddress, amount: bigint): boolean =>
  transaction.type === "CROSS_SWAP" &&
  transaction.expected.some(
    (movement) =>
      movement.direction === "OUT" &&
      movement.account === address &&
      amount <= movement.amount &&
      isWithinFees(amount, movement.amount)
  )

/**
 * Returns whether the amount matches a pending cross-chain transfer to the address. It may be higher or lower, because
 * prices may have moved.
 */
const matchesArrival = ({ expected }: Transaction, address: BitcoinAddress, amount: bigint): boolean =>
  expected.some(
    (movement) =>
      movement.direction === "IN" &&
      movement.account === address &&
      isWithinFees(amount, movement.amount) &&
      isWithinFees(movement.amount, amount)
  )

/**
 * Maximum clock difference between two processes, in seconds. A process whose clock is behind accepts a quote shortly
 * after its expiry.
 */
const LATE_SECONDS = 60

/**
 * The relation of a transaction to a project's operations. RECORDED: an operation has recorded it. PENDING: it is the
 * payment of an open quote, it spends UTXOs of a pending operation, or it may be the arrival or refund of one. FOREIGN:
 * no operation is involved.
 */
export type Ownership = "FOREIGN" | "RECORDED" | "PENDING"

export const ownPayments = Effect.gen(function* () {
  const activity = yield* ActivityStore
  const store = yield* BitcoinActivityStore
  const executions = yield* ExecutionStore
  const quotes = yield* QuoteStore
  const transactions = yield* BitcoinTransactions

  /**
   * Returns whether the transaction is a quoted payment that its owner has signed and broadcast, but not submitted to
   * this service.
   */
  const isQuoted = Effect.fnUntraced(function* (
    projectId: ProjectId,
    address: BitcoinAddress,
    bitcoinTransaction: BitcoinTransaction
  ) {
    const now = yield* DateTime.now
    const unsignedQuotes = (yield* quotes.listUnsigned(
      address,
      DateTime.subtract(now, { seconds: LATE_SECONDS })
    )).filter(
      (quote) => quote.projectId === projectId && quote.intents.some(({ type }) => type === "BITCOIN_TRANSACTION")
    )
    if (unsignedQuotes.length === 0) return false
    const { txid } = transactions.buildPsbt(bitcoinTransaction)
    return unsignedQuotes.some(({ id }) => id === txid)
  })

  const pendingQuotesOf = (projectId: ProjectId, address: BitcoinAddress) =>
    Effect.map(executions.listPendingQuotes(address), (quotes) =>
      quotes.filter((quote) => quote.projectId === projectId)
    )

  // A quote becomes an execution, and an execution becomes a record. Queries in this order find each operation, even if
  // it advances between two queries.
  return Effect.fnUntraced(function* (
    projectId: ProjectId,
    address: BitcoinAddress,
    script: HexBytes,
    bitcoinTransaction: BitcoinTransaction
  ) {
    if (bitcoinTransaction.inputs.some((input) => input.script === script)) {
      if (yield* isQuoted(projectId, address, bitcoinTransaction)) return "PENDING"
      const spentOutpoints = new Set(bitcoinTransaction.inputs.map(outpointText))
      const pendingQuotes = yield* pendingQuotesOf(projectId, address)
      if (pendingQuotes.flatMap(quotedInputs).some((input) => spentOutpoints.has(outpointText(input)))) return "PENDING"
    } else {
      // Some bridges mark a refund with an OP_RETURN output. The swap's stage decides whether such a transaction is a
      // refund.
      const hasOpReturn = bitcoinTransaction.outputs.some((output) => output.script.startsWith(OP_RETURN))
      const amount = bitcoinTransaction.outputs.reduce(
        (sum, output) => (output.script === script ? sum + output.value : sum),
        0n
      )
      const pendingQuotes = yield* pendingQuotesOf(projectId, address)
      const mayBeRefund = (quote: Quote) =>
        hasOpReturn ? quote.transaction.type === "CROSS_SWAP" : matchesRefund(quote, address, amount)
      if (pendingQuotes.some(mayBeRefund)) return "PENDING"
      const arrivingTransactions = yield* store.listArriving(projectId)
      if (arrivingTransactions.some((transaction) => matchesArrival(transaction, address, amount))) return "PENDING"
    }
    const recordedFlows = yield* activity.listRecorded(projectId, address, 0, bitcoinTransaction.txid)
    const ownership: Ownership = recordedFlows.length > 0 ? "RECORDED" : "FOREIGN"
    return ownership
  })
})
