import { Schema } from "effect"
import { GasFeePaymentMethod, Percentage } from "../../foundation/fees/index.ts"
import { Address, BitcoinAddress, DecimalString, Metadata } from "../../foundation/primitives/index.ts"
import { FeePriority } from "./feeRates.ts"

/** The value of the amount field that sends the wallet's complete spendable balance. */
export const MAX = "MAX"

/**
 * Maximum number of additional receivers. It keeps the transaction well below the relay limit of 400,000 weight units.
 */
export const FURTHER_RECEIVERS_MAX = 99

export const BitcoinPaymentRequest = Schema.Struct({
  walletAddress: BitcoinAddress,
  chainId: Schema.Literal(0),
  token: Address,
  amount: Schema.Union([Schema.Literal(MAX), DecimalString]),
  toAddress: BitcoinAddress,
  furtherReceivers: Schema.optionalKey(
    Schema.Array(Schema.Struct({ toAddress: BitcoinAddress, amount: DecimalString })).check(
      Schema.isMaxLength(FURTHER_RECEIVERS_MAX)
    )
  ),
  gasFeePaymentMethod: GasFeePaymentMethod,
  payGasFeeToken: Address,
  transactionFeePercent: Percentage,
  extraFee: Schema.optionalKey(Schema.Struct({ percentage: Percentage, toAddress: BitcoinAddress })),
  feePriority: Schema.optionalKey(FeePriority),
  feeRate: Schema.optionalKey(Schema.Finite),
  spendUnconfirmedChange: Schema.Boolean,
  metadata: Metadata
})
export type BitcoinPaymentRequest = typeof BitcoinPaymentRequest.Type
