import { Clock, DateTime, Effect, Option, Result } from "effect"
import type { Leg, Transaction } from "../../accounting/history/index.ts"
import type { Hash32 } from "../../foundation/primitives/index.ts"
import { signatureOf } from "../../foundation/signing/index.ts"
import { ExecutionStore, type Stage, type Step, type Work } from "../../operations/executions/index.ts"
import type { BitcoinTerms } from "../../operations/intents/index.ts"
import { BitcoinChain, type BitcoinTransaction, BitcoinTransactions, type SignedTransaction } from "../chain/index.ts"
import { replacedByDetails } from "./bitcoinDetails.ts"
import { signedPayment } from "./bitcoinTransactionKind.ts"
import { DEPOSIT_EXPIRED_SENTENCE, isBroadcastExpired } from "./broadcastExpiry.ts"
import { BITCOIN_PAYMENT, type BitcoinPaymentState, bitcoinPaymentState } from "./paymentState.ts"
import { paysTheSame } from "./samePayment.ts"
import { upstream } from "./walletCoins.ts"

/** Between looks: a block comes every ten minutes on average. */
const LOOK_EVERY_MS = 20_000
/** A node that refused for now is asked again so soon. */
const RETRY_MS = 10_000
/** How long nodes keep an unconfirmed transaction (Bitcoin Core, `DEFAULT_MEMPOOL_EXPIRY_HOURS`). */
const MEMPOOL_EXPIRY_MS = 336 * 3_600_000

type Change = (before: Transaction) => Transaction

const withLeg = (transaction: Transaction, fields: Partial<Leg>): Transaction => ({
  ...transaction,
  legs: transaction.legs.map((leg) => ({ ...leg, ...fields }))
})

/** `replacedBy`: the transaction, in the wallet's history, that takes its place. */
const waiting =
  (hash: Hash32 | null, substatus: string, replacedBy: string | null = null): Change =>
  (before) => ({
    ...withLeg(before, { hash, block: null, state: "PENDING", confirmations: 0 }),
    details: replacedByDetails.with(before, replacedBy === null ? null : { transactionId: replacedBy }),
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
const told = (
  followed: Followed,
  hash: Hash32,
  substatus: string,
  {
    afterMs = LOOK_EVERY_MS,
    replacedBy = null
  }: { readonly afterMs?: number; readonly replacedBy?: string | null } = {}
): Step => {
  const { current } = followed
  const isTold =
    current.substatus === substatus &&
    current.legs[0]?.hash === hash &&
    (replacedByDetails.in(current)?.transactionId ?? null) === replacedBy
  return isTold
    ? wait(afterMs)
    : stay(
        followed,
        { following: hash, confirmations: 0, coinLostAtMs: null },
        waiting(hash, substatus, replacedBy),
        afterMs
      )
}

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

  /** Another payment that was accepted here: that one's history has its movements, however often one replaced another. */
  const ownOf = Effect.fnUntraced(function* ({ execution }: Work, { inputs, lockTime, outputs }: BitcoinTransaction) {
    // Where signatures are no witness, the quote has another id than the transaction.
    const { txid } = transactions.unsigned({ inputs, lockTime, outputs })
    const found = Option.getOrNull(yield* executions.findByQuote(execution.projectId, txid))
    // Another signed version of the payment itself is no other payment.
    return found === null || found.id === execution.id ? null : found.id
  })

  /** Another transaction has a coin of the payment. */
  const replaced = Effect.fnUntraced(function* (followed: Followed, other: BitcoinTransaction) {
    const { state, terms } = followed
    const own = yield* ownOf(followed.work, other)
    if (own === null && paysTheSame(terms, other)) return told(followed, other.txid, "REPLACED", { afterMs: 0 })
    const confirmations = yield* confirmationsOf(other)
    if (confirmations < state.needed) {
      return told(followed, followed.signed.txid, own === null ? "COINS_TAKEN" : "REPLACING", { replacedBy: own })
    }
    if (own === null) return failedWith("REPLACED", `Another transaction took its coins: ${other.txid}`)
    const [status, word] = ["CANCELLED", "REPLACED"] as const
    return {
      _tag: "End",
      change: (before) => ({
        ...waiting(null, word, own)(before),
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

  const isCoinLost = ({ terms }: Followed) =>
    Effect.map(
      Effect.forEach(terms.inputs, ({ txid }) => upstream(chain.transaction(txid)), { concurrency: 8 }),
      (found) => found.includes(null)
    )

  /** Nodes miss a coin and know of no other transaction that has it: one that made it, and waited, is gone. */
  const withoutCoin = Effect.fnUntraced(function* (followed: Followed) {
    const { coinLostAtMs = null } = followed.state
    if (!(yield* isCoinLost(followed))) return wait(RETRY_MS)
    const now = yield* Clock.currentTimeMillis
    if (coinLostAtMs === null)
      return stay(followed, { coinLostAtMs: now }, waiting(followed.signed.txid, "COIN_MISSING"))
    return now - coinLostAtMs < MEMPOOL_EXPIRY_MS
      ? wait(LOOK_EVERY_MS)
      : failedWith(
          "COIN_MISSING",
          "A transaction that it spends a coin of was never mined, and no node has it any more"
        )
  })

  /**
   * The receiver's address has expired, so the transaction is not broadcast any longer. Other nodes may have it, also where the answer to its only
   * broadcast was lost: it fails after the time for which nodes keep unconfirmed transactions, or once its owner cancels it.
   */
  const expired = (followed: Followed, nowMs: number): Step => {
    const { signed, terms } = followed
    return nowMs - terms.broadcastUntilMs! < MEMPOOL_EXPIRY_MS
      ? told(followed, signed.txid, "DEPOSIT_EXPIRED")
      : failedWith("DEPOSIT_EXPIRED", DEPOSIT_EXPIRED_SENTENCE)
  }

  const send = Effect.fnUntraced(function* (followed: Followed, substatus: string) {
    const { signed, state, terms, work } = followed
    const now = yield* Clock.currentTimeMillis
    if (isBroadcastExpired(terms, now)) return expired(followed, now)
    const sent = told(followed, signed.txid, substatus)
    return yield* upstream(chain.broadcast(signed.bytes)).pipe(
      Effect.as(sent),
      Effect.catchTag("BROADCAST_REFUSED", ({ kind, reason }) =>
        Effect.gen(function* () {
          if (kind === "KNOWN") return stay(followed, { following: signed.txid }, (before) => before, 0)
          const taker = kind === "TAKEN" ? yield* takerOf(followed) : null
          if (taker !== null) return yield* replaced(followed, taker)
          if (kind === "TAKEN" && state.following !== null) return yield* withoutCoin(followed)
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
      details: replacedByDetails.with(before, null),
      // What a swap is to bring in comes later, and elsewhere.
      movements: before.expected
        .filter(({ direction }) => direction === "OUT")
        .map((movement) => (movement.role === "GAS" ? { ...movement, amount: found.fee } : movement)),
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
    waitsFor: "CHAIN",
    awaited: "confirmations on Bitcoin",
    // A transaction at the lowest fee rate may wait for days, until blocks have room.
    normalMs: 3 * 86_400_000,
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
      // A broadcast may have succeeded right before a restart, so an expired payment is looked up before it fails.
      const isFirst = state.following === null && !isBroadcastExpired(intent.terms, yield* Clock.currentTimeMillis)
      return yield* isFirst ? send(followed, "BROADCAST") : look(followed, state.following ?? signed.success.txid)
    })
  }
  return stage
})
