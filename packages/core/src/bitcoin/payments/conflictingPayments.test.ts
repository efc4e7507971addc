import { assert, describe, it } from "@effect/vitest"
import type { Hash32 } from "../../foundation/primitives/index.ts"
import type { Quote } from "../../operations/quotes/index.ts"
import { conflictingQuotes, evictsPayment } from "./conflictingPayments.ts"

type BitcoinQuote = Pick<Quote, "id" | "intents">

/** Builds a quote of a payment that spends outputs of transactions, such as `a:0`. */
const quoteOf = (id: string, ...outpoints: ReadonlyArray<string>): BitcoinQuote =>
  ({
    id,
    intents: [
      {
        type: "BITCOIN_TRANSACTION",
        txid: id,
        terms: {
          inputs: outpoints.map((outpoint) => {
            const [txid, vout] = outpoint.split(":")
            return { txid, vout: Number(vout) }
          })
        }
      }
    ]
  }) as unknown as BitcoinQuote

/**
 * The signed transaction of a quote `p` is `p'`: its id differs from the quoted one if signatures are outside the
 * witness.
 */
const evicts = (quote: BitcoinQuote, replaced: string | null, ...pendingQuotes: ReadonlyArray<BitcoinQuote>) => {
  const droppedTxids = conflictingQuotes(quote, pendingQuotes).map(({ id }) => `${id}'` as Hash32)
  return evictsPayment(quote, replaced, pendingQuotes, new Set(droppedTxids))
}

describe("a new payment", () => {
  const payment = quoteOf("p", "a:0", "a:1")

  it("evicts a pending payment that spends the same UTXO", () => {
    assert.isTrue(evicts(quoteOf("n", "a:1", "b:0"), null, payment))
    assert.isFalse(evicts(quoteOf("n", "a:2", "b:0"), null, payment))
    assert.isFalse(evicts(payment, null, payment))
  })

  it("can replace a payment and its other replacements", () => {
    const otherReplacement = quoteOf("r", "a:0", "a:1", "c:0")
    assert.isFalse(evicts(quoteOf("n", "a:0", "a:1", "d:0"), "p", payment, otherReplacement))
    assert.isFalse(evicts(quoteOf("n", "a:0", "a:1"), "p", payment, quoteOf("o", "e:0")))
  })

  it("evicts a payment that spends an added UTXO or the change of the replaced payment", () => {
    assert.isTrue(evicts(quoteOf("n", "a:0", "a:1", "e:0"), "p", payment, quoteOf("o", "e:0")))
    assert.isTrue(evicts(quoteOf("n", "a:0", "a:1"), "p", payment, quoteOf("o", "p':1")))
  })
})
