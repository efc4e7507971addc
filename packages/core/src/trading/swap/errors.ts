import { Schema } from "effect"

/** No provider gave a quote. The reason names each that was asked and why it did not. */
export class SwapQuoteUnavailable extends Schema.TaggedError<SwapQuoteUnavailable>("core/swap/SwapQuoteUnavailable")(
  "SWAP_QUOTE",
  { reason: Schema.String }
) {
  override get message(): string {
    return `No swap quote could be obtained: ${this.reason}`
  }
}
