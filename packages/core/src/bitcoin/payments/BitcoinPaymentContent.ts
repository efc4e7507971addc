import { Schema } from "effect"
import { BitcoinAddress, Hash32 } from "../../foundation/primitives/index.ts"
import { type Quoted, quotedFields, quoteKind } from "../../operations/quotes/index.ts"

/** What a payment spends and pays, in satoshis. */
export const BitcoinPreview = Schema.Struct({
  inputs: Schema.Array(Schema.Struct({ txid: Hash32, vout: Schema.Int, value: Schema.BigInt })),
  outputs: Schema.Array(
    Schema.Struct({
      address: BitcoinAddress,
      value: Schema.BigInt,
      role: Schema.Literals(["RECEIVER", "SERVICE_FEE", "EXTRA_FEE", "CHANGE"])
    })
  ),
  change: Schema.BigInt,
  fee: Schema.BigInt,
  /** Satoshis for 1,000 virtual bytes, as asked for. What is paid is never less. */
  feeRate: Schema.BigInt,
  virtualSize: Schema.Int
})
export type BitcoinPreview = typeof BitcoinPreview.Type

/** How a payment stands to one before it. */
export const Replacement = Schema.Struct({
  kind: Schema.Literals(["BUMP", "CANCEL", "CHILD"]),
  /** Of the earlier payment in the wallet's history. */
  transactionId: Schema.String
})
export type Replacement = typeof Replacement.Type

/** All of a payment that was computed for its quote. */
export const BitcoinPaymentContent = Schema.Struct({
  ...quotedFields,
  walletAddress: BitcoinAddress,
  /** The first receiver: the wallet itself, of a payment that takes another one back. */
  toAddress: BitcoinAddress,
  /** What the first receiver gets and the fees that were taken of it. */
  amount: Schema.BigInt,
  preview: BitcoinPreview,
  replaces: Schema.NullOr(Replacement)
})
export type BitcoinPaymentContent = typeof BitcoinPaymentContent.Type

export const bitcoinPaymentKind = quoteKind("BITCOIN_TRANSACTION", BitcoinPaymentContent)

export type BitcoinPaymentQuote = Quoted<BitcoinPaymentContent>
