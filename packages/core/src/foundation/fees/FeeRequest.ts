import { Schema } from "effect"
import { AddressText, described, withDefault } from "../primitives/index.ts"

/** ADD_TO_AMOUNT: gas is paid on top of the amount. DEDUCT_FROM_AMOUNT: it is taken out of it. */
export const GasFeePaymentMethod = Schema.Literals(["ADD_TO_AMOUNT", "DEDUCT_FROM_AMOUNT"]).annotate({
  description:
    "Where the gas fee comes from. `ADD_TO_AMOUNT`: the wallet spends the amount and the gas fee. " +
    "`DEDUCT_FROM_AMOUNT`: it spends the amount and no more, and the most that gas can cost is taken out of it first"
})
export type GasFeePaymentMethod = typeof GasFeePaymentMethod.Type

const Percentage = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 99.99 }))

/** A fee of the caller's choice for another address. */
export const ExtraFee = Schema.Struct({
  percentage: Percentage.annotate({
    description: "Percent of the amount before any other fee: 1 is 1 %. From 0 to 99.99"
  }),
  toAddress: AddressText.pipe(described("Address that receives the fee"))
}).annotate({ identifier: "ExtraFee", description: "A fee that the request adds, for an address of its choice" })
export type ExtraFee = typeof ExtraFee.Type

/** How a request says which fees are taken. Fields of every request that moves an amount. */
export const feeFields = {
  transactionFeePercent: withDefault(
    Percentage,
    0,
    "Percent of the amount that goes to the project's treasury: 0.3 is 0.3 %. Nothing is taken where the project has none"
  ),
  extraFee: Schema.optionalKey(ExtraFee)
}

export interface FeeRequest {
  readonly transactionFeePercent: number
  readonly extraFee?: ExtraFee
}
