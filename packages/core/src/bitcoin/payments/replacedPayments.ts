import { Clock, Effect, Option } from "effect"
import { ExecutionStore, type Step, type Work } from "../../operations/executions/index.ts"
import { BitcoinChain, type BitcoinTransaction, BitcoinTransactions } from "../chain/index.ts"
import { confirmationsOfTransaction } from "./confirmationsOfTransaction.ts"
import { isSamePayment } from "./samePayment.ts"
import {
  failedStep,
  MEMPOOL_EXPIRY_MS,
  POLL_EVERY_MS,
  pendingStep,
  RETRY_MS,
  stayStep,
  type TrackedPayment,
  unconfirmedChange,
  waitStep
} from "./trackedPayment.ts"
import { mapToUpstream } from "./walletUtxos.ts"

/** Handles a payment whose UTXOs another transaction spends, and a payment that no node has. */
export const replacedPayments = Effect.gen(function* () {
  const chain = yield* BitcoinChain
  const transactions = yield* BitcoinTransactions
  const executions = yield* ExecutionStore
  const confirmationsOf = yield* confirmationsOfTransaction

  /**
   * Returns the id of the other accepted payment that this transaction executes. The movements belong to that payment's
   * history entry. Null if there is no such payment.
   */
  const ownPaymentOf = Effect.fnUntraced(function* (
    { execution }: Work,
    { inputs, lockTime, outputs }: BitcoinTransaction
  ) {
    // The txid without signatures is the quote's id. It differs from the on-chain txid if signatures are outside the
    // witness.
    const { txid } = transactions.buildPsbt({ inputs, lockTime, outputs })
    const otherExecution = Option.getOrNull(yield* executions.findByQuote(execution.projectId, txid))
    // A differently signed version of the same payment does not count as another payment.
    return otherExecution === null || otherExecution.id === execution.id ? null : otherExecution.id
  })

  /** Handles a transaction that spends a UTXO of the payment. */
  const replacedStep = Effect.fnUntraced(function* (trackedPayment: TrackedPayment, other: BitcoinTransaction) {
    const { state, terms } = trackedPayment
    const ownPaymentId = yield* ownPaymentOf(trackedPayment.work, other)
    if (ownPaymentId === null && isSamePayment(terms, other))
      return pendingStep(trackedPayment, other.txid, "REPLACED", { afterMs: 0 })
    const confirmations = yield* confirmationsOf(other)
    if (confirmations < state.needed) {
      return pendingStep(
        trackedPayment,
        trackedPayment.signed.txid,
        ownPaymentId === null ? "COINS_TAKEN" : "REPLACING",
        {
          replacedBy: ownPaymentId
        }
      )
    }
    if (ownPaymentId === null) return failedStep("REPLACED", `Another transaction spent the same UTXOs: ${other.txid}`)
    const [status, code] = ["CANCELLED", "REPLACED"] as const
    return {
      _tag: "End",
      change: (before) => ({
        ...unconfirmedChange(null, code, ownPaymentId)(before),
        status,
        failure: { code, message: `The wallet's transaction ${other.txid} replaced this payment` }
      })
    } satisfies Step
  })

  const isUtxoLost = ({ terms }: TrackedPayment) =>
    Effect.map(
      Effect.forEach(terms.inputs, ({ txid }) => mapToUpstream(chain.findTransaction(txid)), { concurrency: 8 }),
      (previousTransactions) => previousTransactions.includes(null)
    )

  /** Handles a UTXO that nodes do not have although nothing spends it: the transaction that created it was dropped. */
  const stepWithoutUtxo = Effect.fnUntraced(function* (trackedPayment: TrackedPayment) {
    const { coinLostAtMs = null } = trackedPayment.state
    if (!(yield* isUtxoLost(trackedPayment))) return waitStep(RETRY_MS)
    const now = yield* Clock.currentTimeMillis
    if (coinLostAtMs === null)
      return stayStep(
        trackedPayment,
        { coinLostAtMs: now },
        unconfirmedChange(trackedPayment.signed.txid, "COIN_MISSING")
      )
    return now - coinLostAtMs < MEMPOOL_EXPIRY_MS
      ? waitStep(POLL_EVERY_MS)
      : failedStep(
          "COIN_MISSING",
          "The payment spends an output of a transaction that was never mined, and that no node has any longer"
        )
  })

  return { replaced: replacedStep, withoutUtxo: stepWithoutUtxo }
})
