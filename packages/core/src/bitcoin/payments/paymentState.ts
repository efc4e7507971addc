import { Schema } from "effect"
import { Hash32, jsonText } from "../../foundation/primitives/index.ts"

/** The stage of a signed payment: handed to Bitcoin's network, and followed until enough blocks are on top of it. */
export const BITCOIN_PAYMENT = "bitcoin-payment"

const State = Schema.Struct({
  /** How many confirmations it waits for. */
  needed: Schema.Int,
  /** The transaction that is followed: the payment, or one that pays the same in its place. Null before a node had it. */
  following: Schema.NullOr(Hash32),
  confirmations: Schema.Int,
  /** Since when nodes do not know a coin that it spends; null while they do. */
  coinLostAtMs: Schema.optionalKey(Schema.NullOr(Schema.Int))
})
export type BitcoinPaymentState = typeof State.Type

const codec = jsonText(State)

export const bitcoinPaymentState = {
  ...codec,
  start: (needed: number): string => codec.encode({ needed, following: null, confirmations: 0 })
}
