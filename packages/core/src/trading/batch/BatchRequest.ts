import { Schema } from "effect"
import { EvmChainIdNumber } from "../../foundation/chains/index.ts"
import { feeFields, GasFeePaymentMethod } from "../../foundation/fees/index.ts"
import { AddressText, DecimalString, metadataField, withDescription } from "../../foundation/primitives/index.ts"
import { SwapSlippage } from "../swap/index.ts"

const gasFields = {
  gasFeePaymentMethod: GasFeePaymentMethod,
  payGasFeeToken: AddressText.pipe(
    withDescription("Token that pays the batch's gas fee. All elements must name the same token")
  )
}

export const BatchTransfer = Schema.Struct({
  type: Schema.Literal("transfer").annotate({ description: "A transfer" }),
  params: Schema.Struct({
    amount: DecimalString.pipe(withDescription("Amount to send, in token units")),
    ...gasFields,
    token: AddressText.pipe(withDescription("Token to send")),
    toAddress: AddressText.pipe(withDescription("Address that receives the token"))
  }).annotate({ description: "The transfer" })
}).annotate({ identifier: "BatchTransfer", description: "A transfer in a batch" })
export type BatchTransfer = typeof BatchTransfer.Type

export const BatchSwap = Schema.Struct({
  type: Schema.Literal("swap").annotate({ description: "A swap" }),
  params: Schema.Struct({
    amountIn: DecimalString.pipe(withDescription("Amount of `tokenIn` to swap, in token units")),
    tokenIn: AddressText.pipe(withDescription("Input token")),
    tokenOut: AddressText.pipe(withDescription("Output token")),
    ...gasFields,
    slippage: SwapSlippage,
    toAddress: Schema.optionalKey(
      AddressText.pipe(withDescription("Address that receives `tokenOut`; the wallet by default"))
    ),
    ...feeFields
  }).annotate({ description: "The swap" })
}).annotate({ identifier: "BatchSwap", description: "A swap in a batch, on the batch's chain" })
export type BatchSwap = typeof BatchSwap.Type

export const BatchOperation = Schema.Union([BatchTransfer, BatchSwap], { mode: "oneOf" }).annotate({
  identifier: "BatchOperation",
  description: "A transfer or a swap"
})
export type BatchOperation = typeof BatchOperation.Type

/** Maximum number of operations in a batch. A larger batch could exceed the gas limit of a transaction. */
export const BATCH_MAX = 100

/** Transfers and swaps that run in order and atomically. */
export const BatchRequest = Schema.Struct({
  walletAddress: AddressText.pipe(withDescription("Registered wallet that executes the batch")),
  chainId: EvmChainIdNumber,
  operations: Schema.Array(BatchOperation)
    .check(Schema.isMinLength(1), Schema.isMaxLength(BATCH_MAX))
    .annotate({ description: "The operations, executed atomically in this order" }),
  metadata: metadataField
})
  .annotate({ identifier: "BatchRequest", description: "Request to prepare a batch" })
  .pipe(Schema.brand("BatchRequest"))
export type BatchRequest = typeof BatchRequest.Type
