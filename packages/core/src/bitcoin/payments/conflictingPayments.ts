import type { Hash32 } from "../../foundation/primitives/index.ts"
import type { Quote } from "../../operations/quotes/index.ts"
import { outpointText, quotedInputs } from "./usableUtxos.ts"

type BitcoinQuote = Pick<Quote, "id" | "intents">

/** Returns whether two payments spend the same UTXO, so that only one of them can be included. */
const areConflicting = (one: BitcoinQuote, other: BitcoinQuote): boolean => {
  const outpoints = new Set(quotedInputs(one).map(outpointText))
  return quotedInputs(other).some((input) => outpoints.has(outpointText(input)))
}

/** Returns the other quotes whose payments spend a UTXO of this quote's payment. */
export const conflictingQuotes = <Q extends BitcoinQuote>(
  quote: BitcoinQuote,
  quotes: ReadonlyArray<Q>
): ReadonlyArray<Q> => quotes.filter((other) => other.id !== quote.id && areConflicting(other, quote))

/**
 * Returns whether nodes would drop a pending payment of the wallet for the transaction of a quote (BIP-125). Ignores the
 * payment that the quote replaces, and other replacements of that payment. A payment is also dropped if it spends an
 * output of a dropped payment. `droppedTxids` are the on-chain ids of the conflicting quotes' transactions.
 */
export const evictsPayment = (
  quote: BitcoinQuote,
  replacedQuoteId: string | null,
  pendingQuotes: ReadonlyArray<BitcoinQuote>,
  droppedTxids: ReadonlySet<Hash32>
): boolean => {
  const replacedQuote = pendingQuotes.find(({ id }) => id === replacedQuoteId)
  return (
    conflictingQuotes(quote, pendingQuotes).some(
      (other) => replacedQuote === undefined || !areConflicting(other, replacedQuote)
    ) ||
    pendingQuotes.some(
      (other) => other.id !== quote.id && quotedInputs(other).some(({ txid }) => droppedTxids.has(txid))
    )
  )
}
