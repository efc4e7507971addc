import { Schema } from "effect"
import { Hash32 } from "../../foundation/primitives/index.ts"

/** A block has the transaction, so that no other one can have its coins. */
export class TransactionInBlock extends Schema.TaggedError<TransactionInBlock>("core/bitcoin/TransactionInBlock")(
  "TRANSACTION_IN_BLOCK",
  {
    txid: Hash32,
    height: Schema.Int,
    /** A sentence: what is not done for this reason. */
    consequence: Schema.String
  }
) {
  override get message(): string {
    return `Transaction ${this.txid} is already in block ${this.height}. ${this.consequence}`
  }
}
