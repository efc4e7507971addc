import { GasFeePaymentMethod } from "@countersign/core/fees"
import { lendingFields } from "@countersign/core/lending"
import { described } from "@countersign/core/primitives"
import { Schema, SchemaTransformation } from "effect"
import { AddressText } from "./scalars.ts"

const { gas, ...otherFields } = lendingFields

const given = Schema.Struct({
  ...otherFields,
  gas: Schema.optionalKey(gas),
  payGasFeeToken: Schema.optionalKey(
    AddressText.pipe(described("Token of the chain that pays for gas: with `gasFeePaymentMethod`, in place of `gas`"))
  ),
  gasFeePaymentMethod: Schema.optionalKey(GasFeePaymentMethod)
})

/** How gas is paid; null where it is said in both ways, in none or by half. */
const gasOf = ({ gas, gasFeePaymentMethod, payGasFeeToken }: typeof given.Type) => {
  if (gas !== undefined) return gasFeePaymentMethod === undefined && payGasFeeToken === undefined ? gas : null
  if (gasFeePaymentMethod === undefined || payGasFeeToken === undefined) return null
  return { paymentMethod: gasFeePaymentMethod, tokenAddress: payGasFeeToken }
}

const isOneWay = Schema.makeFilter((request: typeof given.Type) =>
  gasOf(request) === null
    ? { path: ["gas"], issue: "Expected `payGasFeeToken` and `gasFeePaymentMethod`, or else `gas` with both" }
    : undefined
)

/** The body of POST /api/v1/lending/quote: gas is said as in every other request, or by `gas`. */
export const LendingRequestBody = given
  .annotate({
    description:
      "One of: `supply`; `supply` and `borrow`; `borrow`; `repay`; `withdraw`; `repay` and `withdraw`. With `payGasFeeToken` and " +
      "`gasFeePaymentMethod`, or with `gas`"
  })
  .check(isOneWay)
  .annotate({ identifier: "LendingRequest" })
  .pipe(
    Schema.decodeTo(
      Schema.toType(Schema.Struct(lendingFields)),
      SchemaTransformation.transform({
        decode: (said) => {
          const { gasFeePaymentMethod: _method, payGasFeeToken: _token, ...request } = said
          return { ...request, gas: gasOf(said)! }
        },
        encode: (request) => request
      })
    ),
    Schema.brand("LendingRequest")
  )
