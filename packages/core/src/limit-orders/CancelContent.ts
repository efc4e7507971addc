import { Schema } from "effect"
import { HexBytes } from "../primitives/index.ts"
import { preparedFields, type Quoted, quoteKind } from "../quotes/index.ts"
import { Token } from "../tokens/index.ts"

/** All of a cancellation on chain that was computed for its quote. */
export const CancelContent = Schema.Struct({
  ...preparedFields,
  /** The order's transaction in the wallet's history. */
  transactionId: Schema.String,
  uid: HexBytes,
  payGasFeeToken: Token
})
export type CancelContent = typeof CancelContent.Type

export const cancelKind = quoteKind("LIMIT_ORDER_CANCEL", CancelContent)

export type CancelQuote = Quoted<CancelContent>
