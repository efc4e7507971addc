import { Schema } from "effect"
import { CollectedFees, FeeCollectors } from "../../foundation/fees/index.ts"
import { Token } from "../../foundation/tokens/index.ts"
import { type DecodedQuote, preparedFields, quoteKind } from "../../operations/quotes/index.ts"
import { TransferRequest } from "./TransferRequest.ts"

/** The content of a transfer quote. Amounts are in base units. */
export const TransferContent = Schema.Struct({
  ...preparedFields,
  request: Schema.toType(TransferRequest),
  tokens: Schema.Struct({ token: Token, payGasFeeToken: Token }),
  /** The requested amount, including fees. */
  amount: Schema.BigInt,
  /**
   * The split of `amount` into fees and net amount, with the fee recipients. The wallet sends `net` to the receiver.
   */
  split: CollectedFees,
  /** The amount that arrives if the token charges a fee on transfers. Absent if `net` arrives in full. */
  arriving: Schema.optionalKey(Schema.BigInt),
  collectors: FeeCollectors
})
export type TransferContent = typeof TransferContent.Type

export const transferKind = quoteKind("TRANSFER", TransferContent)

export type TransferQuote = DecodedQuote<TransferContent>
