import { Schema } from "effect"
import { AddressText, ratioFromPercent, withDefault, withDescription } from "../primitives/index.ts"

/** How gas is paid. ADD_TO_AMOUNT: on top of the amount. DEDUCT_FROM_AMOUNT: deducted from the amount. */
export const GasFeePaymentMethod = Schema.Literals(["ADD_TO_AMOUNT", "DEDUCT_FROM_AMOUNT"]).annotate({
  description:
    "How the gas fee is paid. `ADD_TO_AMOUNT`: the wallet spends the amount and the gas fee. " +
    "`DEDUCT_FROM_AMOUNT`: it spends only the amount, and the maximum gas fee is deducted from it first"
})
export type GasFeePaymentMethod = typeof GasFeePaymentMethod.Type

/**
 * Maximum number of decimals of a percentage. With more decimals, the operator's share of it could exceed the 100
 * characters that a response allows.
 */
const MAX_DECIMALS = 40
const MAX_DENOMINATOR = 100n * 10n ** BigInt(MAX_DECIMALS)

/** A fee in percent: 1 is 1 %. */
export const Percentage = Schema.Finite.check(
  Schema.makeFilter((percent: number) =>
    ratioFromPercent(percent).denominator <= MAX_DENOMINATOR ? undefined : `Expected at most ${MAX_DECIMALS} decimals`
  ),
  // Last, because the description of a field is attached to the last check.
  Schema.isBetween({ minimum: 0, maximum: 99.99 })
)

/** An additional fee that the caller charges, and its recipient. */
export const ExtraFee = Schema.Struct({
  percentage: Percentage.annotate({
    description: "Percent of the amount before other fees, from 0 to 99.99: 1 is 1 %"
  }),
  toAddress: AddressText.pipe(withDescription("Address that receives the fee"))
}).annotate({ identifier: "ExtraFee", description: "An additional fee and its receiver" })
export type ExtraFee = typeof ExtraFee.Type

/** The fee fields of requests with an amount. */
export const feeFields = {
  transactionFeePercent: withDefault(
    Percentage,
    0,
    "Percent of the amount that goes to the project's treasury: 0.3 is 0.3 %. No fee is charged if the project has no treasury"
  ),
  extraFee: Schema.optionalKey(ExtraFee)
}

export interface FeeRequest {
  readonly transactionFeePercent: number
  readonly extraFee?: ExtraFee
}
