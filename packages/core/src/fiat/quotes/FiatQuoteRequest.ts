import { Schema } from "effect"
import { EvmChainIdNumber } from "../../foundation/chains/index.ts"
import { feeFields } from "../../foundation/fees/index.ts"
import { AddressText, DecimalString, withDescription } from "../../foundation/primitives/index.ts"
import { IndividualId } from "../../identity/index.ts"
import { FiatMethod } from "../methods/PaymentMethod.ts"

const code = (description: string) =>
  Schema.String.check(
    Schema.isPattern(/^[A-Za-z0-9.]{2,12}$/u, { message: "Expected a code such as BRL or USDC" })
  ).pipe(withDescription(description))

const amount = DecimalString.pipe(withDescription("Decimal amount in units of the currency or token"))

const fields = {
  paymentMethod: Schema.Struct({ type: FiatMethod.annotate({ description: "Payment method" }) }).annotate({
    description: "Payment method of the fiat amount"
  }),
  chainId: EvmChainIdNumber,
  walletAddress: AddressText.pipe(withDescription("Registered smart wallet that receives or sends the stablecoin")),
  individualId: IndividualId.pipe(withDescription("Verified individual who pays or receives the fiat amount"))
}

export const FiatDepositRequest = Schema.Struct({
  ...fields,
  from: Schema.Struct({ currency: code("Currency of the fiat payment: BRL, USD, MXN or ARS"), amount }).annotate({
    description: "Currency and amount to pay"
  }),
  to: Schema.Struct({ currency: code("Stablecoin that the wallet receives, such as USDC") }).annotate({
    description: "Stablecoin to receive"
  })
})
  .annotate({ identifier: "FiatDepositQuoteRequest", description: "Request to quote a deposit" })
  .pipe(Schema.brand("FiatDepositRequest"))
export type FiatDepositRequest = typeof FiatDepositRequest.Type

export const FiatWithdrawalRequest = Schema.Struct({
  ...fields,
  from: Schema.Struct({ currency: code("Stablecoin that the wallet sends, such as USDC"), amount }).annotate({
    description: "Stablecoin and amount to pay"
  }),
  to: Schema.Struct({ currency: code("Currency of the payout: BRL, USD, MXN or ARS") }).annotate({
    description: "Currency to receive"
  }),
  transactionFeePercent: feeFields.transactionFeePercent
})
  .annotate({ identifier: "FiatWithdrawalQuoteRequest", description: "Request to quote a withdrawal" })
  .pipe(Schema.brand("FiatWithdrawalRequest"))
export type FiatWithdrawalRequest = typeof FiatWithdrawalRequest.Type
