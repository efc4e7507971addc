import { Schema } from "effect"
import { BitcoinAddress, Hash32 } from "../../foundation/primitives/index.ts"
import { type DecodedQuote, quotedFields, quoteKind } from "../../operations/quotes/index.ts"

/** The inputs and outputs of a payment, in satoshis. */
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
  /** Satoshis per 1,000 virtual bytes. The actual rate is never lower. */
  feeRate: Schema.BigInt,
  virtualSize: Schema.Int
})
export type BitcoinPreview = typeof BitcoinPreview.Type

/** How a payment affects an earlier one. */
export const Replacement = Schema.Struct({
  kind: Schema.Literals(["BUMP", "CANCEL", "CHILD"]),
  /** The id of the earlier payment's transaction in the wallet's history. */
  transactionId: Schema.String
})
export type Replacement = typeof Replacement.Type

/** The content of a payment quote. Amounts are in satoshis. */
export const BitcoinPaymentContent = Schema.Struct({
  ...quotedFields,
  walletAddress: BitcoinAddress,
  /**
   * The first receiver. The wallet itself if the payment has no receiver, because it cancels another one or accelerates
   * a deposit.
   */
  toAddress: BitcoinAddress,
  /** The total of all outputs except the change: the receivers' amounts and the fees that are deducted from them. */
  amount: Schema.BigInt,
  preview: BitcoinPreview,
  replaces: Schema.NullOr(Replacement)
})
export type BitcoinPaymentContent = typeof BitcoinPaymentContent.Type

export const bitcoinPaymentKind = quoteKind("BITCOIN_TRANSACTION", BitcoinPaymentContent)

export type BitcoinPaymentQuote = DecodedQuote<BitcoinPaymentContent>
