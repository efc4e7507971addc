import { Schema } from "effect"

/** No provider made an offer. The message lists all queried providers and their reasons. */
export class SwapQuoteUnavailable extends Schema.TaggedError<SwapQuoteUnavailable>("core/swap/SwapQuoteUnavailable")(
  "SWAP_QUOTE",
  { reason: Schema.String }
) {
  override get message(): string {
    return `No swap quote could be obtained: ${this.reason}`
  }
}
