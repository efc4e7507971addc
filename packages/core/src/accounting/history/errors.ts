import { Schema } from "effect"

export class TransactionNotFound extends Schema.TaggedError<TransactionNotFound>("core/history/TransactionNotFound")(
  "TRANSACTION_NOT_FOUND",
  { transactionId: Schema.String }
) {
  override get message(): string {
    return `There is no transaction ${this.transactionId}. Use the id from an execution, or from a wallet's history.`
  }
}
