import { Schema } from "effect"
import { EvmChainIdNumber } from "../../foundation/chains/index.ts"
import { feeFields } from "../../foundation/fees/index.ts"
import { AddressText, DecimalString, described } from "../../foundation/primitives/index.ts"
import { IndividualId } from "../../identity/index.ts"
import { FiatMethod } from "../methods/PaymentMethod.ts"

const code = (description: string) =>
  Schema.String.check(
    Schema.isPattern(/^[A-Za-z0-9.]{2,12}$/u, { message: "Expected a code such as BRL or USDC" })
  ).pipe(described(description))

const amount = DecimalString.pipe(described("Amount in whole units"))

const fields = {
  paymentMethod: Schema.Struct({ type: FiatMethod.annotate({ description: "Way of payment" }) }).annotate({
    description: "How the bank's money moves"
  }),
  chainId: EvmChainIdNumber,
  walletAddress: AddressText.pipe(described("Registered smart wallet that gets or gives the stablecoin")),
  individualId: IndividualId.pipe(described("Verified individual who pays or is paid"))
}

export const FiatDepositRequest = Schema.Struct({
  ...fields,
  from: Schema.Struct({ currency: code("Currency that is paid: BRL, USD, MXN or ARS"), amount }).annotate({
    description: "What is given"
  }),
  to: Schema.Struct({ currency: code("Stablecoin that the wallet gets, such as USDC") }).annotate({
    description: "What is got"
  })
})
  .annotate({ identifier: "FiatDepositQuoteRequest", description: "A deposit to quote" })
  .pipe(Schema.brand("FiatDepositRequest"))
export type FiatDepositRequest = typeof FiatDepositRequest.Type

export const FiatWithdrawalRequest = Schema.Struct({
  ...fields,
  from: Schema.Struct({ currency: code("Stablecoin that the wallet gives, such as USDC"), amount }).annotate({
    description: "What is given"
  }),
  to: Schema.Struct({ currency: code("Currency that the bank pays: BRL, USD, MXN or ARS") }).annotate({
    description: "What is got"
  }),
  transactionFeePercent: feeFields.transactionFeePercent
})
  .annotate({ identifier: "FiatWithdrawalQuoteRequest", description: "A withdrawal to quote" })
  .pipe(Schema.brand("FiatWithdrawalRequest"))
export type FiatWithdrawalRequest = typeof FiatWithdrawalRequest.Type
