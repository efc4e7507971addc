import { Effect, Schema } from "effect"
import { EvmChainIdNumber } from "../chains/index.ts"
import { feeFields, GasFeePaymentMethod } from "../fees/index.ts"
import { AddressText, DecimalString, Metadata } from "../primitives/index.ts"

/** A transfer of a token or of the chain's coin as its caller asks for it. */
export const TransferRequest = Schema.Struct({
  walletAddress: AddressText,
  chainId: EvmChainIdNumber,
  token: AddressText,
  amount: DecimalString.annotate({ identifier: "DecimalString" }),
  toAddress: AddressText,
  gasFeePaymentMethod: GasFeePaymentMethod,
  payGasFeeToken: AddressText,
  ...feeFields,
  metadata: Metadata.pipe(Schema.withDecodingDefaultKey(Effect.succeed({})))
})
  .annotate({ identifier: "TransferRequest" })
  .pipe(Schema.brand("TransferRequest"))
export type TransferRequest = typeof TransferRequest.Type
