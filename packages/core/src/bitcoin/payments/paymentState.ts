import { Schema } from "effect"
import { Hash32, jsonText } from "../../foundation/primitives/index.ts"

/** The stage of a signed payment: it is broadcast, and tracked until it has enough confirmations. */
export const BITCOIN_PAYMENT = "bitcoin-payment"

const State = Schema.Struct({
  /** The required number of confirmations. */
  needed: Schema.Int,
  /** The tracked transaction: the payment, or a replacement that pays the same. Null before a node accepted one. */
  following: Schema.NullOr(Hash32),
  confirmations: Schema.Int,
  /** When nodes first did not know a spent coin; null while they know all. */
  coinLostAtMs: Schema.optionalKey(Schema.NullOr(Schema.Int))
})
export type BitcoinPaymentState = typeof State.Type

const codec = jsonText(State)

export const bitcoinPaymentState = {
  ...codec,
  start: (needed: number): string => codec.encode({ needed, following: null, confirmations: 0 })
}
