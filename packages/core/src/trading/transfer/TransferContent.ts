import { Schema } from "effect"
import { CollectedFees, FeeCollectors } from "../../foundation/fees/index.ts"
import { Token } from "../../foundation/tokens/index.ts"
import { preparedFields, type Quoted, quoteKind } from "../../operations/quotes/index.ts"
import { TransferRequest } from "./TransferRequest.ts"

/** All of a transfer that was computed for its quote. Amounts are in base units. */
export const TransferContent = Schema.Struct({
  ...preparedFields,
  request: Schema.toType(TransferRequest),
  tokens: Schema.Struct({ token: Token, payGasFeeToken: Token }),
  /** The amount of the request, fees included. */
  amount: Schema.BigInt,
  /** How it is divided, and who collects. `net` is sent to the receiver. */
  split: CollectedFees,
  /** The part of `net` that arrives. Left out where it is all of it: most tokens take no fee on their transfers. */
  arriving: Schema.optionalKey(Schema.BigInt),
  collectors: FeeCollectors
})
export type TransferContent = typeof TransferContent.Type

export const transferKind = quoteKind("TRANSFER", TransferContent)

export type TransferQuote = Quoted<TransferContent>
