import { Schema } from "effect"
import { Address } from "../../foundation/primitives/index.ts"
import type { LimitOrderIntent } from "../../operations/intents/index.ts"

/** The fields of GPv2's `Order` with the amounts and accounts. Integers are decimal strings. */
const Message = Schema.Struct({
  sellToken: Address,
  buyToken: Address,
  receiver: Address,
  sellAmount: Schema.String,
  buyAmount: Schema.String,
  partiallyFillable: Schema.Boolean
})
const decodeMessage = Schema.decodeUnknownSync(Message)

/**
 * Returns an order's maximum sold amount, minimum bought amount, paying and receiving accounts, and settlement
 * contract.
 */
export const orderAmounts = ({ order, uid }: LimitOrderIntent) => {
  if (order === undefined) throw new Error(`The order ${uid} belongs to another order book`)
  const { buyAmount, buyToken, partiallyFillable, receiver, sellAmount, sellToken } = decodeMessage(
    order.typedData.message
  )
  return {
    sellToken,
    buyToken,
    owner: order.owner,
    receiver,
    sellAmount: BigInt(sellAmount),
    buyAmount: BigInt(buyAmount),
    partiallyFillable,
    settlement: order.typedData.domain.verifyingContract
  }
}
