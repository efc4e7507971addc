import { Effect, Option, Result } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import { type SignatureProblem, type Signatures, signatureOf } from "../../foundation/signing/index.ts"
import { ExecutionStore, type IntentKind } from "../../operations/executions/index.ts"
import type { BitcoinTerms, BitcoinTransactionIntent } from "../../operations/intents/index.ts"
import type { Quote } from "../../operations/quotes/index.ts"
import { QuoteStale, statedReason } from "../../operations/user-operations/index.ts"
import {
  BitcoinChain,
  BitcoinTransactions,
  type PreviousOutput,
  type SignedTransaction,
  TransactionInBlock
} from "../chain/index.ts"
import { replacementDetails } from "./bitcoinDetails.ts"
import { conflictingQuotes, evictsPayment } from "./conflictingPayments.ts"
import { mapToUpstream } from "./walletUtxos.ts"

const notAsQuoted = (reason: string): SignatureProblem => ({ _tag: "NotAsQuoted", reason })

const withoutFinalPeriod = (reason: string): string => reason.replace(/\.$/u, "")

/** Verifies a signed transaction against the quoted UTXOs. */
export const signedPayment = (
  transactions: BitcoinTransactions["Service"],
  { terms, txid }: BitcoinTransactionIntent,
  signedBytes: HexBytes
): Result.Result<SignedTransaction, string> =>
  terms === undefined
    ? Result.fail("the quote does not list the UTXOs that the transaction spends")
    : Result.mapError(
        transactions.verifySigned(signedBytes, { txid, inputs: terms.inputs, maxWeight: terms.maxWeight }),
        ({ reason }) => reason
      )

/**
 * Handles the acceptance of signed payments: they must be equal to the quote, and signed by the keys of UTXOs that
 * exist on-chain.
 */
export const bitcoinTransactionKind = Effect.gen(function* () {
  const chain = yield* BitcoinChain
  const transactions = yield* BitcoinTransactions
  const executions = yield* ExecutionStore

  /** Returns a quoted UTXO that differs on-chain, or that does not exist. Null if all are equal. */
  const findChangedUtxo = Effect.fnUntraced(function* ({ inputs }: BitcoinTerms) {
    const isSame = ({ script, txid, value, vout }: PreviousOutput) =>
      Effect.map(mapToUpstream(chain.findTransaction(txid)), (utxoTransaction) => {
        const output = utxoTransaction?.outputs[vout]
        return output !== undefined && output.value === value && output.script === script
      })
    const areSame = yield* Effect.forEach(inputs, isSame, { concurrency: 8 })
    return inputs[areSame.indexOf(false)] ?? null
  })

  /** Returns the on-chain id of an intent's signed transaction. Null without a valid signature. */
  const signedTxid = (intent: BitcoinTransactionIntent, signatures: Signatures): Hash32 | null => {
    const [element] = intent.signData
    const signature = element === undefined ? null : signatureOf(signatures, element)
    if (signature === null) return null
    return Result.getOrNull(Result.map(signedPayment(transactions, intent, signature), ({ txid }) => txid))
  }

  /** Fails if a block includes a conflicting transaction, because the payment can then never be mined. */
  const requireUnspent = Effect.fnUntraced(function* (intent: BitcoinTransactionIntent, signatures: Signatures) {
    const ownTxid = signedTxid(intent, signatures)
    if (intent.terms === undefined || ownTxid === null) return
    const spenders = yield* Effect.forEach(intent.terms.inputs, (input) => mapToUpstream(chain.spenderOf(input)), {
      concurrency: 8
    })
    for (const txid of new Set(spenders)) {
      const spendingTransaction =
        txid === null || txid === ownTxid ? null : yield* mapToUpstream(chain.findTransaction(txid))
      if (spendingTransaction === null || spendingTransaction.block === null) continue
      return yield* new TransactionInBlock({
        txid: spendingTransaction.txid,
        height: spendingTransaction.block.height,
        consequence: "It has spent a UTXO of this quote, so the quote was not accepted. Nothing was recorded or sent."
      })
    }
  })

  /** Returns the on-chain ids of a pending payment's transactions, which can differ from those of the quote. */
  const signedTxids = Effect.fnUntraced(function* ({ id, intents, projectId }: Quote) {
    const execution = Option.getOrNull(yield* executions.findByQuote(projectId, id))
    return intents.flatMap((intent) =>
      intent.type === "BITCOIN_TRANSACTION" ? [signedTxid(intent, execution?.signatures ?? {}) ?? intent.txid] : []
    )
  })

  /**
   * Fails if this payment conflicts with another pending payment of the wallet, so that nodes keep only one of them.
   * Ignores the payment that this one replaces, and other replacements of that payment.
   */
  const requireNoEviction = Effect.fnUntraced(function* (quote: Quote, { txid }: BitcoinTransactionIntent) {
    const { projectId, walletAddress } = quote
    yield* executions.lockWallet(0, walletAddress)
    const pendingQuotes = yield* executions.listPendingQuotes(walletAddress)
    const droppedTxids = yield* Effect.forEach(conflictingQuotes(quote, pendingQuotes), signedTxids)
    const replacement = replacementDetails.in(quote.transaction)
    const replacedExecution =
      replacement === null ? null : Option.getOrNull(yield* executions.find(projectId, replacement.transactionId))
    const replacedQuoteId = replacedExecution?.quoteId ?? null
    if (!evictsPayment(quote, replacedQuoteId, pendingQuotes, new Set(droppedTxids.flat()))) return
    return yield* new QuoteStale({
      hash: txid,
      reason: statedReason(
        "it conflicts with another pending payment of the wallet, which spends the same UTXO or an output of a replaced payment"
      ),
      remedy: "NEW_QUOTE"
    })
  })

  const signatureProblem = Effect.fnUntraced(function* (
    intent: BitcoinTransactionIntent,
    _element: unknown,
    signature: HexBytes
  ): Effect.fn.Return<SignatureProblem | null, UpstreamUnavailable> {
    const verifiedPayment = signedPayment(transactions, intent, signature)
    if (Result.isFailure(verifiedPayment)) return notAsQuoted(withoutFinalPeriod(verifiedPayment.failure))
    const changedOutpoint = intent.terms === undefined ? null : yield* findChangedUtxo(intent.terms)
    return changedOutpoint === null
      ? null
      : notAsQuoted(
          `UTXO ${changedOutpoint.txid}:${changedOutpoint.vout} does not exist on-chain or differs from the quote. Request a new quote.`
        )
  })

  const kind: IntentKind<BitcoinTransactionIntent> = {
    type: "BITCOIN_TRANSACTION",
    signerOf: (_intent, { walletAddress }) => walletAddress,
    signatureProblem,
    repeatProblem: (intent, before, newSignature) => {
      const [first, second] = [before, newSignature].map((bytes) => signedPayment(transactions, intent, bytes))
      if (first === undefined || second === undefined || Result.isFailure(first) || Result.isFailure(second))
        return null
      return first.success.bytes === second.success.bytes
        ? null
        : notAsQuoted("Another signed version of this transaction was accepted earlier and remains valid.")
    },
    makeReady: ({ intents, quote, signatures }) =>
      Effect.as(
        Effect.forEach(intents, (intent) => requireUnspent(intent, signatures)),
        { cover: null, requireNoConflict: requireNoEviction(quote, intents[0]) }
      )
  }
  return kind
})
