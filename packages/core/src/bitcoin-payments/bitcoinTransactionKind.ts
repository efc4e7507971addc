import { Effect, Result } from "effect"
import { BitcoinChain, BitcoinTransactions, type PreviousOutput, type SignedTransaction } from "../bitcoin/index.ts"
import type { UpstreamUnavailable } from "../errors/index.ts"
import type { IntentKind } from "../executions/index.ts"
import type { BitcoinTerms, BitcoinTransactionIntent } from "../intents/index.ts"
import type { HexBytes } from "../primitives/index.ts"
import type { SignatureProblem } from "../signing/index.ts"
import { upstream } from "./walletCoins.ts"

const notAsQuoted = (reason: string): SignatureProblem => ({ _tag: "NotAsQuoted", reason })

const sentence = (reason: string): string => reason.replace(/\.$/u, "")

/** The transaction that was signed, by the coins as they were quoted. */
export const signedPayment = (
  transactions: BitcoinTransactions["Service"],
  { terms, txid }: BitcoinTransactionIntent,
  given: HexBytes
): Result.Result<SignedTransaction, string> =>
  terms === undefined
    ? Result.fail("the quote does not say which coins it spends")
    : Result.mapError(
        transactions.signed(given, { txid, inputs: terms.inputs, maxWeight: terms.maxWeight }),
        ({ reason }) => reason
      )

/** Signed payments: exactly what was quoted, by the keys of coins that the chain has. */
export const bitcoinTransactionKind = Effect.gen(function* () {
  const chain = yield* BitcoinChain
  const transactions = yield* BitcoinTransactions

  /** A coin that is not as it was quoted; null where all are. */
  const changedCoin = Effect.fnUntraced(function* ({ inputs }: BitcoinTerms) {
    const isSame = ({ script, txid, value, vout }: PreviousOutput) =>
      Effect.map(upstream(chain.transaction(txid)), (found) => {
        const output = found?.outputs[vout]
        return output !== undefined && output.value === value && output.script === script
      })
    const checked = yield* Effect.forEach(inputs, isSame, { concurrency: 8 })
    return inputs[checked.indexOf(false)] ?? null
  })

  const signatureProblem = Effect.fnUntraced(function* (
    intent: BitcoinTransactionIntent,
    _element: unknown,
    given: HexBytes
  ): Effect.fn.Return<SignatureProblem | null, UpstreamUnavailable> {
    const signed = signedPayment(transactions, intent, given)
    if (Result.isFailure(signed)) return notAsQuoted(sentence(signed.failure))
    const changed = intent.terms === undefined ? null : yield* changedCoin(intent.terms)
    return changed === null
      ? null
      : notAsQuoted(
          `the chain does not have coin ${changed.txid}:${changed.vout} as it was quoted. Ask for a new quote`
        )
  })

  const kind: IntentKind<BitcoinTransactionIntent> = {
    type: "BITCOIN_TRANSACTION",
    signerOf: (_intent, { walletAddress }) => walletAddress,
    signatureProblem,
    repeatProblem: (intent, before, given) => {
      const [first, second] = [before, given].map((bytes) => signedPayment(transactions, intent, bytes))
      if (first === undefined || second === undefined || Result.isFailure(first) || Result.isFailure(second))
        return null
      return first.success.bytes === second.success.bytes
        ? null
        : notAsQuoted("another signed version of this transaction was accepted before, and is the one that counts")
    },
    makeReady: () => Effect.succeed({ cover: null })
  }
  return kind
})
