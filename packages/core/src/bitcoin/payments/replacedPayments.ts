import { Clock, Effect, Option } from "effect"
import { ExecutionStore, type Step, type Work } from "../../operations/executions/index.ts"
import { BitcoinChain, type BitcoinTransaction, BitcoinTransactions } from "../chain/index.ts"
import { confirmationsOfTransaction } from "./confirmationsOfTransaction.ts"
import { paysTheSame } from "./samePayment.ts"
import {
  failedWith,
  LOOK_EVERY_MS,
  MEMPOOL_EXPIRY_MS,
  pendingStep,
  RETRY_MS,
  stay,
  type TrackedPayment,
  wait,
  waiting
} from "./trackedPayment.ts"
import { upstream } from "./walletCoins.ts"

/** Handles a payment whose coins another transaction spends, or that no node knows. */
export const replacedPayments = Effect.gen(function* () {
  const chain = yield* BitcoinChain
  const transactions = yield* BitcoinTransactions
  const executions = yield* ExecutionStore
  const confirmationsOf = yield* confirmationsOfTransaction

  /** Another payment that this service has accepted. The history of that payment records the movements, also after several replacements. */
  const ownOf = Effect.fnUntraced(function* ({ execution }: Work, { inputs, lockTime, outputs }: BitcoinTransaction) {
    // If signatures are not in the witness, the quote's id differs from the transaction's.
    const { txid } = transactions.unsigned({ inputs, lockTime, outputs })
    const otherExecution = Option.getOrNull(yield* executions.findByQuote(execution.projectId, txid))
    // A different signed version of the same payment is not another payment.
    return otherExecution === null || otherExecution.id === execution.id ? null : otherExecution.id
  })

  /** Another transaction spends a coin of the payment. */
  const replaced = Effect.fnUntraced(function* (trackedPayment: TrackedPayment, other: BitcoinTransaction) {
    const { state, terms } = trackedPayment
    const own = yield* ownOf(trackedPayment.work, other)
    if (own === null && paysTheSame(terms, other))
      return pendingStep(trackedPayment, other.txid, "REPLACED", { afterMs: 0 })
    const confirmations = yield* confirmationsOf(other)
    if (confirmations < state.needed) {
      return pendingStep(trackedPayment, trackedPayment.signed.txid, own === null ? "COINS_TAKEN" : "REPLACING", {
        replacedBy: own
      })
    }
    if (own === null) return failedWith("REPLACED", `Another transaction spent the same UTXOs: ${other.txid}`)
    const [status, word] = ["CANCELLED", "REPLACED"] as const
    return {
      _tag: "End",
      change: (before) => ({
        ...waiting(null, word, own)(before),
        status,
        failure: { code: word, message: `The wallet's transaction ${other.txid} replaced it` }
      })
    } satisfies Step
  })

  const isCoinLost = ({ terms }: TrackedPayment) =>
    Effect.map(
      Effect.forEach(terms.inputs, ({ txid }) => upstream(chain.transaction(txid)), { concurrency: 8 }),
      (previousTransactions) => previousTransactions.includes(null)
    )

  /** Nodes lack a coin and know no other transaction that spends it: the unconfirmed transaction that created the coin is gone. */
  const withoutCoin = Effect.fnUntraced(function* (trackedPayment: TrackedPayment) {
    const { coinLostAtMs = null } = trackedPayment.state
    if (!(yield* isCoinLost(trackedPayment))) return wait(RETRY_MS)
    const now = yield* Clock.currentTimeMillis
    if (coinLostAtMs === null)
      return stay(trackedPayment, { coinLostAtMs: now }, waiting(trackedPayment.signed.txid, "COIN_MISSING"))
    return now - coinLostAtMs < MEMPOOL_EXPIRY_MS
      ? wait(LOOK_EVERY_MS)
      : failedWith(
          "COIN_MISSING",
          "It spends an output of a transaction that was never mined and that no node has any longer"
        )
  })

  return { replaced, withoutCoin }
})
