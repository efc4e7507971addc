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
    return `There is no limit order ${this.transactionId}. Its id comes from placing it, or from the wallet's history.`
  }
}
