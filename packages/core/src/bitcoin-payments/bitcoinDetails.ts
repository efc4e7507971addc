import { detailsKind } from "../history/index.ts"
import { Replacement } from "./BitcoinPaymentContent.ts"

/** The payment whose place another takes, in the history of the other. */
export const replacementDetails = detailsKind("bitcoinReplacement", Replacement)
