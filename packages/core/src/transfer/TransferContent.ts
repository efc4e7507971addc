import { Schema } from "effect"
import { CollectedFees, FeeCollectors } from "../fees/index.ts"
import { preparedFields, type Quote, quoteKind } from "../quotes/index.ts"
import { Token } from "../tokens/index.ts"
import { TransferRequest } from "./TransferRequest.ts"

export const TransferTokens = Schema.Struct({ token: Token, payGasFeeToken: Token })
export type TransferTokens = typeof TransferTokens.Type

/** All of a transfer that was computed for its quote. Amounts are in base units. */
export const TransferContent = Schema.Struct({
  ...preparedFields,
  request: Schema.toType(TransferRequest),
  tokens: TransferTokens,
  /** What the request says, fees included. */
  amount: Schema.BigInt,
  /** How it is divided, and who collects. The receiver gets `net`. */
  split: CollectedFees,
  collectors: FeeCollectors
})
export type TransferContent = typeof TransferContent.Type

export const transferKind = quoteKind("TRANSFER", TransferContent)

/** A transfer that was quoted: the stored quote, and what it says. */
export interface TransferQuote {
  readonly quote: Quote
  readonly content: TransferContent
}
