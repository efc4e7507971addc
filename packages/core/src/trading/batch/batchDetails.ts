import { Schema } from "effect"
import { detailsKind } from "../../accounting/history/index.ts"
import { Address, WalletAddress } from "../../foundation/primitives/index.ts"

/** A transfer of the batch, as quoted. Amounts are in base units, without fees. */
const QuotedTransfer = Schema.Struct({
  type: Schema.Literal("transfer"),
  token: Address,
  amount: Schema.BigInt,
  toAddress: Address
})
export type QuotedTransfer = typeof QuotedTransfer.Type

const QuotedSwap = Schema.Struct({
  type: Schema.Literal("swap"),
  tokenIn: Address,
  amountIn: Schema.BigInt,
  tokenOut: Address,
  amountOut: Schema.BigInt,
  toAddress: Address,
  /** The contracts that may pay `tokenOut`. */
  payers: Schema.Array(WalletAddress)
})
export type QuotedSwap = typeof QuotedSwap.Type

/** The details of a batch transaction: its elements, in order. */
export const batchDetails = detailsKind("batch", Schema.Array(Schema.Union([QuotedTransfer, QuotedSwap])))
