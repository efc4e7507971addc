import { Schema } from "effect"
import { detailsKind } from "../../accounting/history/index.ts"
import { Replacement } from "./BitcoinPaymentContent.ts"

/** The earlier transaction that a payment replaces (BIP-125) or accelerates (CPFP), in the `details` of the payment. */
export const replacementDetails = detailsKind("bitcoinReplacement", Replacement)

/** The replacing payment's transaction in the wallet's history, in the `details` of the replaced one. */
export const replacedByDetails = detailsKind("bitcoinReplacedBy", Schema.Struct({ transactionId: Schema.String }))
