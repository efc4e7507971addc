import { Schema } from "effect"

/** No provider gave a quote. The reason lists each queried provider and why it made no offer. */
export class SwapQuoteUnavailable extends Schema.TaggedError<SwapQuoteUnavailable>("core/swap/SwapQuoteUnavailable")(
  "SWAP_QUOTE",
  { reason: Schema.String }
) {
  override get message(): string {
    return `No swap quote could be obtained: ${this.reason}`
  }
}
