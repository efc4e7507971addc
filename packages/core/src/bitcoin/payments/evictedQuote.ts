import type { Hash32 } from "../../foundation/primitives/index.ts"
import type { Quote } from "../../operations/quotes/index.ts"
import { outpointText } from "./usableUtxos.ts"

type BitcoinQuote = Pick<Quote, "id" | "intents">

const inputsOf = ({ intents }: BitcoinQuote) =>
  intents.flatMap((intent) => (intent.type === "BITCOIN_TRANSACTION" ? (intent.terms?.inputs ?? []) : []))

/** Returns whether two payments spend the same UTXO, so that only one of them can be included. */
const areConflicting = (one: BitcoinQuote, other: BitcoinQuote): boolean => {
  const outpoints = new Set(inputsOf(one).map(outpointText))
  return inputsOf(other).some((input) => outpoints.has(outpointText(input)))
}

/** Returns the other quotes whose payments spend a UTXO of this quote's payment. */
export const conflictingQuotes = <Q extends BitcoinQuote>(
  quote: BitcoinQuote,
  quotes: ReadonlyArray<Q>
): ReadonlyArray<Q> => quotes.filter((other) => other.id !== quote.id && areConflicting(other, quote))

/**
 * Returns the quote of a pending payment of the wallet that nodes would drop for the transaction of a quote (BIP-125).
 * Ignores the payment that the quote replaces, and other replacements of that payment. Null if there is no other one. A
 * payment is also dropped if it spends an output of a dropped payment. `droppedTxids` are the on-chain ids of the
 * conflicting quotes' transactions.
 */
export const evictedQuote = <Q extends BitcoinQuote>(
  quote: BitcoinQuote,
  replacedQuoteId: string | null,
  pendingQuotes: ReadonlyArray<Q>,
  droppedTxids: ReadonlySet<Hash32>
): Q | null => {
  const replacedQuote = pendingQuotes.find(({ id }) => id === replacedQuoteId)
  const conflicts = conflictingQuotes(quote, pendingQuotes)
  const evicted =
    conflicts.find((other) => replacedQuote === undefined || !areConflicting(other, replacedQuote)) ??
    pendingQuotes.find((other) => other.id !== quote.id && inputsOf(other).some(({ txid }) => droppedTxids.has(txid)))
  return evicted ?? null
}
