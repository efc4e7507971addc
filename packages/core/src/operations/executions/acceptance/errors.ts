import { DateTime, Schema } from "effect"

export class QuoteNotFound extends Schema.TaggedError<QuoteNotFound>("core/executions/QuoteNotFound")(
  "QUOTE_NOT_FOUND",
  { quoteId: Schema.String }
) {
  override get message(): string {
    return `There is no quote ${this.quoteId}. Use the quoteId of a quote response.`
  }
}

export class QuoteExpired extends Schema.TaggedError<QuoteExpired>("core/executions/QuoteExpired")("QUOTE_EXPIRED", {
  quoteId: Schema.String,
  expiresAt: Schema.DateTimeUtc
}) {
  override get message(): string {
    return `Quote ${this.quoteId} expired at ${DateTime.formatIso(this.expiresAt)}. Request a new quote and sign it.`
  }
}
