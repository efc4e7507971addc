import { Schema } from "effect"
import { HexBytes } from "../../foundation/primitives/index.ts"
import { Token } from "../../foundation/tokens/index.ts"
import { type DecodedQuote, preparedFields, quoteKind } from "../../operations/quotes/index.ts"

/** The content of a quote for an on-chain cancellation. */
export const CancelContent = Schema.Struct({
  ...preparedFields,
  /** The id of the order's transaction in the wallet's history. */
  transactionId: Schema.String,
  uid: HexBytes,
  payGasFeeToken: Token
})
export type CancelContent = typeof CancelContent.Type

export const cancelKind = quoteKind("LIMIT_ORDER_CANCEL", CancelContent)

export type CancelQuote = DecodedQuote<CancelContent>
