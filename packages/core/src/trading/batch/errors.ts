import { Schema } from "effect"

/** No provider has a quote for a swap of the batch. */
export class BatchElementUnavailable extends Schema.TaggedError<BatchElementUnavailable>(
  "core/batch/BatchElementUnavailable"
)("SWAP_QUOTE", { index: Schema.Int, reason: Schema.String }) {
  override get message(): string {
    return `No quote could be obtained for operations[${this.index}]: ${this.reason}`
  }
}
