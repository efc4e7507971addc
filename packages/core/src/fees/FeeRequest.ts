import { Effect, Schema } from "effect"
import { AddressText } from "../primitives/index.ts"

/** ADD_TO_AMOUNT: gas is paid on top of the amount. DEDUCT_FROM_AMOUNT: it is taken out of it. */
export const GasFeePaymentMethod = Schema.Literals(["ADD_TO_AMOUNT", "DEDUCT_FROM_AMOUNT"])
export type GasFeePaymentMethod = typeof GasFeePaymentMethod.Type

const Percentage = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 99.99 }))

/** A fee that the caller takes for somebody else. */
export const ExtraFee = Schema.Struct({ percentage: Percentage, toAddress: AddressText }).annotate({
  identifier: "ExtraFee"
})
export type ExtraFee = typeof ExtraFee.Type

/** How a request says which fees are taken. Fields of every request that moves an amount. */
export const feeFields = {
  transactionFeePercent: Percentage.pipe(Schema.withDecodingDefaultKey(Effect.succeed(0))),
  extraFee: Schema.optionalKey(ExtraFee)
}

export interface FeeRequest {
  readonly transactionFeePercent: number
  readonly extraFee?: ExtraFee
}
