import { DateTime, Effect, Option, Result } from "effect"
import { BitcoinChain, type BitcoinTransaction, BitcoinTransactions, type SignedTransaction } from "../bitcoin/index.ts"
import { ExecutionStore, type Stage, type Step, type Work } from "../executions/index.ts"
import type { Leg, Transaction } from "../history/index.ts"
import type { BitcoinTerms } from "../intents/index.ts"
import type { Hash32 } from "../primitives/index.ts"
import { signatureOf } from "../signing/index.ts"
import { signedPayment } from "./bitcoinTransactionKind.ts"
import { BITCOIN_PAYMENT, type BitcoinPaymentState, bitcoinPaymentState } from "./paymentState.ts"
import { paysTheSame } from "./samePayment.ts"
import { upstream } from "./walletCoins.ts"

/** Between looks: a block comes every ten minutes on average. */
const LOOK_EVERY_MS = 20_000
/** A node that refused for now is asked again so soon. */
const RETRY_MS = 10_000

type Change = (before: Transaction) => Transaction

const withLeg = (transaction: Transaction, fields: Partial<Leg>): Transaction => ({
  ...transaction,
  legs: transaction.legs.map((leg) => ({ ...leg, ...fields }))
})

const waiting =
  (hash: Hash32 | null, substatus: string): Change =>
  (before) => ({
    ...withLeg(before, { hash, block: null, state: "PENDING", confirmations: 0 }),
    movements: [],
    executedAt: null,
    substatus
  })

const failedWith = (code: string, message: string): Step => ({
  _tag: "End",
  change: (before) => ({ ...waiting(null, code)(before), status: "FAILED", failure: { code, message } })
})

const wait = (afterMs: number): Step => ({ _tag: "Wait", afterMs })

/** A signed payment as its stage sees it. */
interface Followed {
  readonly work: Work
  readonly terms: BitcoinTerms
  readonly signed: SignedTransaction
  readonly state: BitcoinPaymentState
  readonly current: Transaction
}

const stay = (
  { state }: Followed,
  fields: Partial<BitcoinPaymentState>,
  change: Change,
  afterMs = LOOK_EVERY_MS
): Step => ({
  _tag: "Stay",
  state: bitcoinPaymentState.encode({ ...state, ...fields }),
  change,
  afterMs
})

/** The same news is told once. */
const told = (followed: Followed, hash: Hash32, substatus: string, afterMs = LOOK_EVERY_MS): Step =>
  followed.current.substatus === substatus && followed.current.legs[0]?.hash === hash
    ? wait(afterMs)
    : stay(followed, { following: hash, confirmations: 0 }, waiting(hash, substatus), afterMs)

/**
 * Hands signed payments to Bitcoin's network and follows them by the chain's word: until enough blocks are on top of one, or
 * until another transaction has its coins for good.
 */
export const bitcoinPaymentStage = Effect.gen(function* () {
  const chain = yield* BitcoinChain
  const transactions = yield* BitcoinTransactions
  const executions = yield* ExecutionStore

  const confirmationsOf = ({ block }: BitcoinTransaction) =>
    block === null
      ? Effect.succeed(0)
      : Effect.map(upstream(chain.tipHeight), (height) => Math.max(1, height - block.height + 1))

  /** Whether it is another payment that was accepted here: that one's history has its movements, however often one replaced another. */
  const isOwn = Effect.fnUntraced(function* ({ execution }: Work, { inputs, outputs }: BitcoinTransaction) {
    // Where signatures are no witness, the quote has another id than the transaction.
    const { txid } = transactions.unsigned({ inputs, outputs })
    const found = Option.getOrNull(yield* executions.findByQuote(execution.projectId, txid))
    // Another signed version of the payment itself is no other payment.
    return found !== null && found.id !== execution.id
  })

  /** Another transaction has a coin of the payment. */
  const replaced = Effect.fnUntraced(function* (followed: Followed, other: BitcoinTransaction) {
    const { state, terms } = followed
    const own = yield* isOwn(followed.work, other)
    if (!own && paysTheSame(terms, other)) return told(followed, other.txid, "REPLACED", 0)
    const confirmations = yield* confirmationsOf(other)
    if (confirmations < state.needed) return told(followed, followed.signed.txid, own ? "REPLACING" : "COINS_TAKEN")
    if (!own) return failedWith("REPLACED", `Another transaction took its coins: ${other.txid}`)
    const [status, word] = ["CANCELLED", "REPLACED"] as const
    return {
      _tag: "End",
      change: (before) => ({
        ...waiting(null, word)(before),
        status,
        failure: { code: word, message: `The wallet's transaction ${other.txid} took its place` }
      })
    } satisfies Step
  })

  /** The transaction that has a coin of the payment, where it is not the payment itself. */
  const takerOf = Effect.fnUntraced(function* ({ signed, terms }: Followed) {
    for (const input of terms.inputs) {
      const spender = yield* upstream(chain.spender(input))
      if (spender !== null && spender !== signed.txid) return yield* upstream(chain.transaction(spender))
    }
    return null
  })

  const send = Effect.fnUntraced(function* (followed: Followed, substatus: string) {
    const { signed, state, work } = followed
    const sent = told(followed, signed.txid, substatus)
    return yield* upstream(chain.broadcast(signed.bytes)).pipe(
      Effect.as(sent),
      Effect.catchTag("BROADCAST_REFUSED", ({ kind, reason }) =>
        Effect.gen(function* () {
          if (kind === "KNOWN") return stay(followed, { following: signed.txid }, (before) => before, 0)
          const taker = kind === "TAKEN" ? yield* takerOf(followed) : null
          if (taker !== null) return yield* replaced(followed, taker)
          const isOver = state.following === null && DateTime.isGreaterThan(yield* DateTime.now, work.quote.expiresAt)
          // Once the network had it, it may be mined whatever a node says now: it is sent again and again.
          return kind === "INVALID" || isOver ? failedWith("BROADCAST_REFUSED", reason) : wait(RETRY_MS)
        })
      )
    )
  })

  const mined = Effect.fnUntraced(function* (followed: Followed, found: BitcoinTransaction) {
    const { current, state } = followed
    const { block } = found
    if (block === null) {
      const isUndone = current.legs[0]?.state === "INCLUDED"
      return told(
        followed,
        found.txid,
        isUndone ? "REORGED" : current.substatus === "REORGED" ? "REORGED" : "BROADCAST"
      )
    }
    const confirmations = Math.min(state.needed, yield* confirmationsOf(found))
    const isLast = confirmations >= state.needed
    const included: Change = (before) => ({
      ...withLeg(before, {
        hash: found.txid,
        block: { number: BigInt(block.height), hash: block.hash },
        state: isLast ? "FINAL" : "INCLUDED",
        confirmations
      }),
      movements: before.expected.map((movement) =>
        movement.role === "GAS" ? { ...movement, amount: found.fee } : movement
      ),
      substatus: "INCLUDED",
      executedAt: DateTime.makeUnsafe(block.minedAtMs)
    })
    if (isLast) return { _tag: "Next", change: included } satisfies Step
    const isNews = current.legs[0]?.block?.hash !== block.hash || confirmations !== state.confirmations
    return isNews ? stay(followed, { following: found.txid, confirmations }, included) : wait(LOOK_EVERY_MS)
  })

  const look = Effect.fnUntraced(function* (followed: Followed, following: Hash32) {
    const found = yield* upstream(chain.transaction(following))
    if (found !== null) return yield* mined(followed, found)
    // What took its place is gone: the payment itself may be there again.
    if (following !== followed.signed.txid) {
      return stay(
        followed,
        { following: followed.signed.txid, confirmations: 0 },
        waiting(followed.signed.txid, "DROPPED"),
        0
      )
    }
    const taker = yield* takerOf(followed)
    return yield* taker === null ? send(followed, "BROADCAST") : replaced(followed, taker)
  })

  const stage: Stage = {
    name: BITCOIN_PAYMENT,
    patienceMs: null,
    step: Effect.fn("BitcoinPaymentStage.step")(function* (work) {
      const { execution, intent, stage: entry } = work
      const given = intent?.signData[0] === undefined ? null : signatureOf(execution.signatures, intent.signData[0])
      if (intent?.type !== "BITCOIN_TRANSACTION" || intent.terms === undefined || given === null) {
        return yield* Effect.die(new Error("Only a signed Bitcoin transaction can be followed"))
      }
      const signed = signedPayment(transactions, intent, given)
      if (Result.isFailure(signed)) return failedWith("BROADCAST_REFUSED", signed.failure)
      const state = bitcoinPaymentState.decode(entry.state)
      const followed: Followed = {
        work,
        terms: intent.terms,
        signed: signed.success,
        state,
        current: yield* work.transaction
      }
      return yield* state.following === null ? send(followed, "BROADCAST") : look(followed, state.following)
    })
  }
  return stage
})
