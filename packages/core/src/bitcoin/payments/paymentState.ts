import { Schema } from "effect"
import { Hash32, jsonText } from "../../foundation/primitives/index.ts"

/** The stage that broadcasts a signed payment, and tracks it until it has enough confirmations. */
export const BITCOIN_PAYMENT = "bitcoin-payment"

const State = Schema.Struct({
  /** Required number of confirmations. */
  needed: Schema.Int,
  /**
   * The txid of the tracked transaction: the payment, or a replacement that makes the same payment. Null before the
   * first result of a broadcast.
   */
  following: Schema.NullOr(Hash32),
  confirmations: Schema.Int,
  /** Unix milliseconds at which nodes first reported that a spent UTXO does not exist. Null while all UTXOs exist. */
  coinLostAtMs: Schema.optionalKey(Schema.NullOr(Schema.Int))
})
export type BitcoinPaymentState = typeof State.Type

const codec = jsonText(State)

export const bitcoinPaymentState = {
  ...codec,
  start: (needed: number): string => codec.encode({ needed, following: null, confirmations: 0 })
}
