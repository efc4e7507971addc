import { Schema } from "effect"
import { detailsKind } from "../../accounting/history/index.ts"
import { Replacement } from "./BitcoinPaymentContent.ts"

/** The payment whose place another takes, or that it pays for, in the history of the other. */
export const replacementDetails = detailsKind("bitcoinReplacement", Replacement)

/** The payment that takes the place of this one: its transaction in the wallet's history. */
export const replacedByDetails = detailsKind("bitcoinReplacedBy", Schema.Struct({ transactionId: Schema.String }))
