import { Schema } from "effect"
import { EvmChainIdNumber } from "../../foundation/chains/index.ts"
import { feeFields, GasFeePaymentMethod } from "../../foundation/fees/index.ts"
import { AddressText, DecimalString, metadataField, withDescription } from "../../foundation/primitives/index.ts"

/** Request to transfer a token or the native token. */
export const TransferRequest = Schema.Struct({
  walletAddress: AddressText.pipe(withDescription("Registered wallet that sends the token")),
  chainId: EvmChainIdNumber,
  token: AddressText.pipe(
    withDescription("Token to send; 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee for the native token")
  ),
  amount: DecimalString.pipe(
    withDescription(
      "Amount in token units. The transaction fee and the extra fee are deducted from it, and with `DEDUCT_FROM_AMOUNT` also the maximum gas fee"
    )
  ),
  toAddress: AddressText.pipe(withDescription("Address that receives the token")),
  gasFeePaymentMethod: GasFeePaymentMethod,
  payGasFeeToken: AddressText.pipe(withDescription("Token that pays the gas fee")),
  ...feeFields,
  metadata: metadataField
})
  .annotate({ identifier: "TransferRequest", description: "Request to prepare a transfer" })
  .pipe(Schema.brand("TransferRequest"))
export type TransferRequest = typeof TransferRequest.Type
