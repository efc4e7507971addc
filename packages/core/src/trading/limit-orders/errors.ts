import { Schema } from "effect"

/** The transaction is not a limit order, or its order can't be cancelled now. */
export class CancellationNotAllowed extends Schema.TaggedError<CancellationNotAllowed>(
  "core/limit-orders/CancellationNotAllowed"
)("CANCEL_LIMIT_ORDER_NOT_ALLOWED", { reason: Schema.String }) {
  override get message(): string {
    return `The limit order can't be cancelled: ${this.reason}`
  }
}

export class LimitOrderNotFound extends Schema.TaggedError<LimitOrderNotFound>("core/limit-orders/LimitOrderNotFound")(
  "CANCEL_LIMIT_ORDER_TRANSACTION_NOT_FOUND",
  { transactionId: Schema.String }
) {
  override get message(): string {
    return `There is no limit order with the transaction id ${this.transactionId}. Use the id that was returned when the order was placed, or find it in the wallet's history.`
  }
}
