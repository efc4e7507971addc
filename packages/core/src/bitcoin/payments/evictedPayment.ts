import type { Quote } from "../../operations/quotes/index.ts"
import { outpointText } from "./usableUtxos.ts"

type BitcoinQuote = Pick<Quote, "id" | "intents">

const intentsOf = ({ intents }: BitcoinQuote) =>
  intents.flatMap((intent) => (intent.type === "BITCOIN_TRANSACTION" ? [intent] : []))

const inputsOf = (quote: BitcoinQuote) => intentsOf(quote).flatMap(({ terms }) => terms?.inputs ?? [])

/** Returns whether two payments spend the same UTXO, so that only one of them can be included. */
const areExclusive = (one: BitcoinQuote, other: BitcoinQuote): boolean => {
  const outpoints = new Set(inputsOf(one).map(outpointText))
  return inputsOf(other).some((input) => outpoints.has(outpointText(input)))
}

/**
 * Returns a pending payment of the wallet that nodes would drop for the transaction of a quote (BIP-125). Null if there
 * is none, except the payment that the quote replaces and other replacements of that payment. A payment is also dropped
 * if it spends an output of a dropped payment.
 */
export const evictedPayment = <Q extends BitcoinQuote>(
  quote: BitcoinQuote,
  replacedQuoteId: string | null,
  pendingQuotes: ReadonlyArray<Q>
): Q | null => {
  const otherQuotes = pendingQuotes.filter(({ id }) => id !== quote.id)
  const replacedQuote = otherQuotes.find(({ id }) => id === replacedQuoteId)
  const exclusiveQuotes = otherQuotes.filter((other) => areExclusive(other, quote))
  const droppedTxids = new Set(exclusiveQuotes.flatMap((other) => intentsOf(other).map(({ txid }) => txid)))
  const evictedQuote = otherQuotes.find((other) =>
    exclusiveQuotes.includes(other)
      ? replacedQuote === undefined || !areExclusive(other, replacedQuote)
      : inputsOf(other).some(({ txid }) => droppedTxids.has(txid))
  )
  return evictedQuote ?? null
}
