import { Schema } from "effect"
import { Uint256Text } from "../../outbound/json-api/index.ts"

const AddressForm = Schema.String.check(Schema.isPattern(/^0x[a-fA-F0-9]{40}$/u))
const HashForm = Schema.String.check(Schema.isPattern(/^0x[a-fA-F0-9]{64}$/u))

export const UidForm = Schema.String.check(Schema.isPattern(/^0x[a-fA-F0-9]{112}$/u))

/** The fields of an order that the service uses. The order book may add or change other fields. */
export const OrderForm = Schema.Struct({
  uid: UidForm,
  status: Schema.Literals(["presignaturePending", "open", "fulfilled", "cancelled", "expired"]),
  sellToken: AddressForm,
  sellAmount: Uint256Text,
  executedSellAmount: Uint256Text
})
export type OrderForm = typeof OrderForm.Type

export const OrdersForm = Schema.Array(OrderForm)

/** Each entry contains the order, or the reason why there is none. */
export const OrdersByUidsForm = Schema.Array(Schema.Struct({ order: Schema.optionalKey(OrderForm) }))

export const TradesForm = Schema.Array(Schema.Struct({ txHash: Schema.NullOr(HashForm) }))

export const QuoteForm = Schema.Struct({ quote: Schema.Struct({ buyAmount: Uint256Text }) })
