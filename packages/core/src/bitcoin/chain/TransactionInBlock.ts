import { Schema } from "effect"
import { Hash32 } from "../../foundation/primitives/index.ts"

/** A block already includes the transaction, so no other transaction can spend the same UTXOs. */
export class TransactionInBlock extends Schema.TaggedError<TransactionInBlock>("core/bitcoin/TransactionInBlock")(
  "TRANSACTION_IN_BLOCK",
  {
    txid: Hash32,
    height: Schema.Int,
    /** The consequence for the request, as a sentence. */
    consequence: Schema.String
  }
) {
  override get message(): string {
    return `Transaction ${this.txid} is already in block ${this.height}. ${this.consequence}`
  }
}
