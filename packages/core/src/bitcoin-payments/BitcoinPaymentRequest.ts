import { Schema } from "effect"
import { GasFeePaymentMethod } from "../fees/index.ts"
import { Address, BitcoinAddress, DecimalString, Metadata } from "../primitives/index.ts"
import { FeePriority } from "./feeRates.ts"

/** Empties the wallet. */
export const MAX = "MAX"

/** A payment on Bitcoin's chain as its caller asks for it. */
export const BitcoinPaymentRequest = Schema.Struct({
  walletAddress: BitcoinAddress,
  chainId: Schema.Literal(0),
  token: Address,
  amount: Schema.Union([Schema.Literal(MAX), DecimalString]),
  toAddress: BitcoinAddress,
  gasFeePaymentMethod: GasFeePaymentMethod,
  transactionFeePercent: Schema.Finite,
  extraFee: Schema.optionalKey(
    Schema.Struct({
      percentage: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 99.99 })),
      toAddress: BitcoinAddress
    })
  ),
  feePriority: Schema.optionalKey(FeePriority),
  feeRate: Schema.optionalKey(Schema.Finite),
  spendUnconfirmedChange: Schema.Boolean,
  metadata: Metadata
})
export type BitcoinPaymentRequest = typeof BitcoinPaymentRequest.Type
