import { assert, describe, it } from "@effect/vitest"
import type { Quote } from "../../operations/quotes/index.ts"
import { evictedPayment } from "./evictedPayment.ts"

type PendingQuote = Pick<Quote, "id" | "intents">

/** Builds a quote with a transaction `id` that spends outputs of transactions, such as `a:0`. */
const quoteOf = (id: string, ...outpoints: ReadonlyArray<string>): PendingQuote =>
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
  }) as unknown as PendingQuote

const evictedId = (quote: PendingQuote, replaced: string | null, ...pendingQuotes: ReadonlyArray<PendingQuote>) =>
  evictedPayment(quote, replaced, pendingQuotes)?.id ?? null

describe("a new payment", () => {
  const payment = quoteOf("p", "a:0", "a:1")

  it("evicts a pending payment that spends the same UTXO", () => {
    assert.strictEqual(evictedId(quoteOf("n", "a:1", "b:0"), null, payment), "p")
    assert.isNull(evictedId(quoteOf("n", "a:2", "b:0"), null, payment))
    assert.isNull(evictedId(payment, null, payment))
  })

  it("can replace a payment and its other replacements", () => {
    const otherReplacement = quoteOf("r", "a:0", "a:1", "c:0")
    assert.isNull(evictedId(quoteOf("n", "a:0", "a:1", "d:0"), "p", payment, otherReplacement))
    assert.strictEqual(evictedId(quoteOf("n", "a:0", "a:1"), "p", payment, quoteOf("o", "e:0")), null)
  })

  it("evicts a payment that spends an added UTXO or the change of the replaced payment", () => {
    assert.strictEqual(evictedId(quoteOf("n", "a:0", "a:1", "e:0"), "p", payment, quoteOf("o", "e:0")), "o")
    assert.strictEqual(evictedId(quoteOf("n", "a:0", "a:1"), "p", payment, quoteOf("o", "p:1")), "o")
  })
})
