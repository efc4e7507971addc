import { Clock, DateTime, Effect, Result } from "effect"
import type { Hash32 } from "../../foundation/primitives/index.ts"
import { signatureOf } from "../../foundation/signing/index.ts"
import type { Stage, Step } from "../../operations/executions/index.ts"
import { BitcoinChain, type BitcoinTransaction, BitcoinTransactions, type BroadcastRefused } from "../chain/index.ts"
import { replacedByDetails } from "./bitcoinDetails.ts"
import { signedPayment } from "./bitcoinTransactionKind.ts"
import { DEPOSIT_EXPIRED_REASON, isBroadcastExpired } from "./broadcastExpiry.ts"
import { confirmationsOfTransaction } from "./confirmationsOfTransaction.ts"
import { mayBeOnChain } from "./mayBeOnChain.ts"
import { BITCOIN_PAYMENT, bitcoinPaymentState } from "./paymentState.ts"
import { replacedPayments } from "./replacedPayments.ts"
import {
  type Change,
  failedStep,
  MEMPOOL_EXPIRY_MS,
  POLL_EVERY_MS,
  pendingStep,
  RETRY_MS,
  stayStep,
  type TrackedPayment,
  UNDECIDED_MS,
  unconfirmedChange,
  waitStep,
  withLeg
} from "./trackedPayment.ts"
import { utxoConflicts } from "./utxoConflicts.ts"
import { mapToUpstream } from "./walletUtxos.ts"

/**
 * Returns the step for a payment whose receiver address has expired. The service no longer broadcasts it. Other nodes
 * may have the transaction, even if the response to the only broadcast was lost. This step therefore fails the payment
 * only after the time at which nodes drop unconfirmed transactions.
 */
const expiredStep = (trackedPayment: TrackedPayment, nowMs: number): Step => {
  const { signed, terms } = trackedPayment
  return nowMs - terms.broadcastUntilMs! < MEMPOOL_EXPIRY_MS
    ? pendingStep(trackedPayment, signed.txid, "DEPOSIT_EXPIRED")
    : failedStep("DEPOSIT_EXPIRED", `The transaction was not included: ${DEPOSIT_EXPIRED_REASON}. Request a new quote`)
}

/** Returns the change for a payment that a block includes. */
const inclusionStep =
  (
    bitcoinTransaction: BitcoinTransaction,
    block: NonNullable<BitcoinTransaction["block"]>,
    confirmations: number,
    isLast: boolean
  ): Change =>
  (before) => ({
    ...withLeg(before, {
      hash: bitcoinTransaction.txid,
      block: { number: BigInt(block.height), hash: block.hash },
      state: isLast ? "FINAL" : "INCLUDED",
      confirmations
    }),
    details: replacedByDetails.with(before, null),
    // The stage that tracks a swap's arrival records the incoming movements later.
    movements: before.expected
      .filter(({ direction }) => direction === "OUT")
      .map((movement) => (movement.role === "GAS" ? { ...movement, amount: bitcoinTransaction.fee } : movement)),
    substatus: "INCLUDED",
    executedAt: DateTime.makeUnsafe(block.minedAtMs)
  })

/**
 * Returns the step for a payment that no server has accepted before its quote expired. A server whose response was lost
 * may have accepted it, so the chain is queried first.
 */
const overdueSteps = Effect.map(BitcoinChain, (chain) =>
  Effect.fnUntraced(function* (
    trackedPayment: TrackedPayment,
    { kind, reason }: Pick<BroadcastRefused, "kind" | "reason">
  ) {
    const { signed, work } = trackedPayment
    if ((yield* mapToUpstream(chain.findTransaction(signed.txid))) !== null)
      return stayStep(trackedPayment, { following: signed.txid }, (before) => before, 0)
    const keptUntil = DateTime.add(work.quote.expiresAt, { milliseconds: UNDECIDED_MS })
    return kind === "UNDECIDED" && DateTime.isLessThanOrEqualTo(yield* DateTime.now, keptUntil)
      ? waitStep(POLL_EVERY_MS)
      : failedStep("BROADCAST_REFUSED", reason)
  })
)

/** Broadcasts signed payments, and tracks them on-chain until they have enough confirmations or fail. */
export const bitcoinPaymentStage = Effect.gen(function* () {
  const chain = yield* BitcoinChain
  const transactions = yield* BitcoinTransactions
  const confirmationsOf = yield* confirmationsOfTransaction
  const { replaced, withoutUtxo } = yield* replacedPayments
  const conflictOf = yield* utxoConflicts
  const overdueStep = yield* overdueSteps
  const isStillOnChain = mayBeOnChain(chain)

  /** Whether the recorded block of the payment may still be on the chain, although a server does not show it. */
  const isServerBehind = ({ current }: TrackedPayment) => {
    const [leg] = current.legs
    return leg?.state === "INCLUDED" && leg.block !== null ? isStillOnChain(leg.block) : Effect.succeed(false)
  }

  const send = Effect.fnUntraced(function* (trackedPayment: TrackedPayment, substatus: string) {
    const { signed, state, terms, work } = trackedPayment
    const now = yield* Clock.currentTimeMillis
    if (isBroadcastExpired(terms, now)) return expiredStep(trackedPayment, now)
    const broadcastStep = pendingStep(trackedPayment, signed.txid, substatus)
    return yield* mapToUpstream(chain.broadcast(signed.bytes)).pipe(
      Effect.as(broadcastStep),
      Effect.catchTag("BROADCAST_REFUSED", ({ kind, reason }) =>
        Effect.gen(function* () {
          if (kind === "KNOWN") {
            // This node has the payment's block. The server for reads may not have it yet.
            return state.following === signed.txid
              ? waitStep(RETRY_MS)
              : stayStep(trackedPayment, { following: signed.txid }, (before) => before, 0)
          }
          const conflict = kind === "TAKEN" ? yield* conflictOf(terms.inputs, signed.txid) : null
          if (conflict !== null) return yield* replaced(trackedPayment, conflict)
          if (kind === "TAKEN" && state.following !== null) return yield* withoutUtxo(trackedPayment)
          if (kind === "INVALID") return failedStep("BROADCAST_REFUSED", reason)
          const isOver = state.following === null && DateTime.isGreaterThan(yield* DateTime.now, work.quote.expiresAt)
          // Another node may still mine a transaction that this node rejects, so the broadcast is retried.
          return isOver ? yield* overdueStep(trackedPayment, { kind, reason }) : waitStep(RETRY_MS)
        })
      )
    )
  })

  const minedStep = Effect.fnUntraced(function* (
    trackedPayment: TrackedPayment,
    bitcoinTransaction: BitcoinTransaction
  ) {
    const { current, state } = trackedPayment
    const { block } = bitcoinTransaction
    if (block === null) {
      if (yield* isServerBehind(trackedPayment)) return waitStep(RETRY_MS)
      const isUndone = current.legs[0]?.state === "INCLUDED"
      return pendingStep(
        trackedPayment,
        bitcoinTransaction.txid,
        isUndone ? "REORGED" : current.substatus === "REORGED" ? "REORGED" : "BROADCAST"
      )
    }
    const confirmations = Math.min(state.needed, yield* confirmationsOf(bitcoinTransaction))
    const isLast = confirmations >= state.needed
    const includeChange = inclusionStep(bitcoinTransaction, block, confirmations, isLast)
    if (isLast) return { _tag: "Next", change: includeChange } satisfies Step
    const isChanged = current.legs[0]?.block?.hash !== block.hash || confirmations !== state.confirmations
    return isChanged
      ? stayStep(trackedPayment, { following: bitcoinTransaction.txid, confirmations }, includeChange)
      : waitStep(POLL_EVERY_MS)
  })

  const check = Effect.fnUntraced(function* (trackedPayment: TrackedPayment, trackedTxid: Hash32) {
    const bitcoinTransaction = yield* mapToUpstream(chain.findTransaction(trackedTxid))
    if (bitcoinTransaction !== null) return yield* minedStep(trackedPayment, bitcoinTransaction)
    if (yield* isServerBehind(trackedPayment)) return waitStep(RETRY_MS)
    // The replacement has disappeared, so the original payment may be in the mempool again.
    if (trackedTxid !== trackedPayment.signed.txid) {
      return stayStep(
        trackedPayment,
        { following: trackedPayment.signed.txid, confirmations: 0 },
        unconfirmedChange(trackedPayment.signed.txid, "DROPPED"),
        0
      )
    }
    const conflict = yield* conflictOf(trackedPayment.terms.inputs, trackedPayment.signed.txid)
    return yield* conflict === null ? send(trackedPayment, "BROADCAST") : replaced(trackedPayment, conflict)
  })

  const stage: Stage = {
    name: BITCOIN_PAYMENT,
    waitsFor: "CHAIN",
    awaited: "confirmations on Bitcoin",
    // A transaction with the lowest fee rate may stay unconfirmed for days, until blocks have free space.
    normalMs: 3 * 86_400_000,
    patienceMs: null,
    step: Effect.fn("BitcoinPaymentStage.step")(function* (work) {
      const { execution, intent, stage: stageEntry } = work
      const ownerSignature =
        intent?.signData[0] === undefined ? null : signatureOf(execution.signatures, intent.signData[0])
      if (intent?.type !== "BITCOIN_TRANSACTION" || intent.terms === undefined || ownerSignature === null) {
        return yield* Effect.die(new Error("Only a signed Bitcoin transaction can be tracked"))
      }
      const verifiedPayment = signedPayment(transactions, intent, ownerSignature)
      if (Result.isFailure(verifiedPayment)) return failedStep("BROADCAST_REFUSED", verifiedPayment.failure)
      const state = bitcoinPaymentState.decode(stageEntry.state)
      const trackedPayment: TrackedPayment = {
        work,
        terms: intent.terms,
        signed: verifiedPayment.success,
        state,
        current: yield* work.transaction
      }
      // A broadcast may have succeeded right before a restart, so the chain is queried before an expired payment fails.
      const isFirst = state.following === null && !isBroadcastExpired(intent.terms, yield* Clock.currentTimeMillis)
      return yield* isFirst
        ? send(trackedPayment, "BROADCAST")
        : check(trackedPayment, state.following ?? verifiedPayment.success.txid)
    })
  }
  return stage
})
