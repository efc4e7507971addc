import { Schema } from "effect"
import { CollectedFees, Fee, FeeCollectors } from "../../foundation/fees/index.ts"
import { Address } from "../../foundation/primitives/index.ts"
import { Token } from "../../foundation/tokens/index.ts"
import { type DecodedQuote, preparedFields, quoteKind } from "../../operations/quotes/index.ts"
import { Call } from "../../operations/user-operations/index.ts"
import { Route } from "../swap/index.ts"
import { BatchRequest } from "./BatchRequest.ts"

/** A transfer of a batch, with its computed amounts in base units. */
export const TransferElement = Schema.Struct({
  type: Schema.Literal("transfer"),
  token: Token,
  toAddress: Address,
  /** The requested amount. If this element pays the gas fee, the amount includes it. */
  amount: Schema.BigInt,
  split: CollectedFees,
  /** The amount that arrives if the token charges a fee on transfers. Absent if `split.net` arrives in full. */
  arriving: Schema.optionalKey(Schema.BigInt),
  calls: Schema.Array(Call)
})
export type TransferElement = typeof TransferElement.Type

export const SwapElement = Schema.Struct({
  type: Schema.Literal("swap"),
  provider: Schema.String,
  tokenIn: Token,
  tokenOut: Token,
  toAddress: Address,
  amount: Schema.BigInt,
  amountOut: Schema.BigInt,
  minAmountOut: Schema.BigInt,
  transactionFeePercent: Schema.Finite,
  route: Route,
  /** The price impact relative to the pools' prices before the swap, as a fraction scaled by 10^18. Null if unknown. */
  priceImpactE18: Schema.NullOr(Schema.BigInt),
  split: CollectedFees,
  /** SERVICE and EXTRA fees. The batch has one gas fee, which is not listed here. */
  fees: Schema.Array(Fee),
  calls: Schema.Array(Call)
})
export type SwapElement = typeof SwapElement.Type

export const BatchElement = Schema.Union([TransferElement, SwapElement])
export type BatchElement = typeof BatchElement.Type

/** The content of a batch quote. */
export const BatchContent = Schema.Struct({
  ...preparedFields,
  request: Schema.toType(BatchRequest),
  payGasFeeToken: Token,
  elements: Schema.Array(BatchElement),
  collectors: FeeCollectors
})
export type BatchContent = typeof BatchContent.Type

export const batchKind = quoteKind("BATCH", BatchContent)

export type BatchQuote = DecodedQuote<BatchContent>
