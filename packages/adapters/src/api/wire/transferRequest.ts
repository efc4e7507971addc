import { FeePriority, FURTHER_RECEIVERS_MAX } from "@countersign/core/bitcoin/payments"
import { ChainIdNumber } from "@countersign/core/foundation/chains"
import { ExtraFee, feeFields, GasFeePaymentMethod } from "@countersign/core/foundation/fees"
import {
  AddressText,
  DecimalString,
  metadataField,
  WalletAddressText,
  withDefault,
  withDescription
} from "@countersign/core/foundation/primitives"
import { Schema } from "effect"

const bitcoinOnlyDescription = (description: string) => `${description}. Only for Bitcoin`

/** The body of POST /api/v1/crypto/transfer, for every chain. */
export const TransferPayload = Schema.Struct({
  walletAddress: WalletAddressText.pipe(withDescription("Registered wallet that sends the token")),
  chainId: ChainIdNumber.annotate({ description: "Id of the chain; 0 for Bitcoin" }),
  token: AddressText.pipe(
    withDescription("Token to send; 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee for the native token")
  ),
  amount: Schema.Union([Schema.Literal("MAX"), DecimalString]).annotate({
    description:
      "Amount in token units. The transaction fee and the extra fee are deducted from it, and with `DEDUCT_FROM_AMOUNT` also the maximum gas fee. For Bitcoin, `MAX` sends the entire balance minus the fees"
  }),
  toAddress: WalletAddressText.pipe(withDescription("Address that receives the token")),
  furtherReceivers: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        toAddress: WalletAddressText.pipe(withDescription("Address of the receiver")),
        amount: DecimalString.pipe(
          withDescription("Amount in BTC. Percentage fees apply to this amount as well as to the first amount")
        )
      }).annotate({ description: "An additional receiver" })
    )
      .check(Schema.isMaxLength(FURTHER_RECEIVERS_MAX))
      .annotate({
        description: bitcoinOnlyDescription(
          "Additional receivers in the same transaction. With DEDUCT_FROM_AMOUNT the miner fee is deducted from the amount of `toAddress` only"
        )
      })
  ),
  gasFeePaymentMethod: GasFeePaymentMethod,
  payGasFeeToken: AddressText.pipe(
    withDescription("Token, on the same chain, in which gas is paid; for Bitcoin the native token")
  ),
  ...feeFields,
  extraFee: Schema.optionalKey(
    Schema.Struct({
      percentage: ExtraFee.fields.percentage,
      toAddress: WalletAddressText.pipe(withDescription("Address that receives the fee"))
    }).annotate({
      identifier: "TransferExtraFee",
      description: "An additional fee and its receiver"
    })
  ),
  feePriority: Schema.optionalKey(
    FeePriority.annotate({
      description: bitcoinOnlyDescription("Confirmation target: within about 144, 6 or 2 blocks; `NORMAL` by default")
    })
  ),
  feeRate: Schema.optionalKey(
    Schema.Finite.annotate({
      description: bitcoinOnlyDescription(
        "Fee rate in sat/vB, instead of `feePriority`: up to 1000, and at least the minimum that the Bitcoin nodes relay, which is 0.1 or more"
      )
    })
  ),
  spendUnconfirmedChange: withDefault(
    Schema.Boolean,
    false,
    bitcoinOnlyDescription(
      "Whether the transaction may spend change of the wallet's unconfirmed transactions, if the confirmed outputs are insufficient"
    )
  ),
  metadata: metadataField
}).annotate({ identifier: "TransferRequest", description: "A transfer to prepare" })
export type TransferPayload = typeof TransferPayload.Type
