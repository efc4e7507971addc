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

export class IndividualVerificationRequired extends Schema.TaggedError<IndividualVerificationRequired>(
  "core/swap/IndividualVerificationRequired"
)("INDIVIDUAL_VERIFICATION_REQUIRED", { symbol: Schema.String }) {
  override get message(): string {
    return `${this.symbol} is a tokenized real-world asset: its swaps need the individualId of a verified individual.`
  }
}
