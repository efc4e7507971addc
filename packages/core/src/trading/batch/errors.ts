import { Schema } from "effect"

/** A swap of a batch has no quote. */
export class BatchElementUnavailable extends Schema.TaggedError<BatchElementUnavailable>(
  "core/batch/BatchElementUnavailable"
)("SWAP_QUOTE", { index: Schema.Int, reason: Schema.String }) {
  override get message(): string {
    return `No quote could be obtained for operations[${this.index}]: ${this.reason}`
  }
}
