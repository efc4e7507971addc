import { Schema } from "effect"

/**
 * No quote could be obtained: no provider serves the chains, no provider made an offer, or a chain could not be read.
 * If providers were queried, the message lists them and their reasons.
 */
export class SwapQuoteUnavailable extends Schema.TaggedError<SwapQuoteUnavailable>("core/swap/SwapQuoteUnavailable")(
  "SWAP_QUOTE",
  {
    reason: Schema.String,
    /** The providers that returned no quote, and the milliseconds until each response. Absent if none was queried. */
    refusals: Schema.optionalKey(Schema.Array(Schema.Struct({ provider: Schema.String, latencyMs: Schema.Finite })))
  }
) {
  override get message(): string {
    return `No swap quote could be obtained: ${this.reason}`
  }
}
