import { Effect, Schema } from "effect"
import { EvmChainIdNumber } from "../chains/index.ts"
import { feeFields, GasFeePaymentMethod } from "../fees/index.ts"
import { AddressText, DecimalString, Metadata } from "../primitives/index.ts"
import { SwapSlippage } from "../swap/index.ts"

const Decimal = DecimalString.annotate({ identifier: "DecimalString" })

const gasFields = { gasFeePaymentMethod: GasFeePaymentMethod, payGasFeeToken: AddressText }

export const BatchTransfer = Schema.Struct({
  type: Schema.Literal("transfer"),
  params: Schema.Struct({ amount: Decimal, ...gasFields, token: AddressText, toAddress: AddressText })
}).annotate({ identifier: "BatchTransfer" })
export type BatchTransfer = typeof BatchTransfer.Type

export const BatchSwap = Schema.Struct({
  type: Schema.Literal("swap"),
  params: Schema.Struct({
    amountIn: Decimal,
    tokenIn: AddressText,
    tokenOut: AddressText,
    ...gasFields,
    slippage: SwapSlippage,
    /** The wallet itself when left out. */
    toAddress: Schema.optionalKey(AddressText),
    ...feeFields
  })
}).annotate({ identifier: "BatchSwap" })
export type BatchSwap = typeof BatchSwap.Type

export const BatchOperation = Schema.Union([BatchTransfer, BatchSwap])
export type BatchOperation = typeof BatchOperation.Type

/** The most operations in one batch: more would not fit into a transaction's gas. */
export const BATCH_MAX = 100

/** Transfers and swaps that are executed together, in order, all or none. */
export const BatchRequest = Schema.Struct({
  walletAddress: AddressText,
  chainId: EvmChainIdNumber,
  operations: Schema.Array(BatchOperation).check(Schema.isMinLength(1), Schema.isMaxLength(BATCH_MAX)),
  metadata: Metadata.pipe(Schema.withDecodingDefaultKey(Effect.succeed({})))
})
  .annotate({ identifier: "BatchRequest" })
  .pipe(Schema.brand("BatchRequest"))
export type BatchRequest = typeof BatchRequest.Type
