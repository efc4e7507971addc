import { DateTime, Schema } from "effect"

export class BitcoinQuoteNotFound extends Schema.TaggedError<BitcoinQuoteNotFound>(
  "core/bitcoin-payments/BitcoinQuoteNotFound"
)("BITCOIN_QUOTE_NOT_FOUND", { quoteId: Schema.String }) {
  override get message(): string {
    return `There is no Bitcoin quote ${this.quoteId}. Use the quoteId of a transfer or swap from Bitcoin.`
  }
}

export class ExpiredBitcoinQuote extends Schema.TaggedError<ExpiredBitcoinQuote>(
  "core/bitcoin-payments/ExpiredBitcoinQuote"
)("EXPIRED_BITCOIN_QUOTE", { quoteId: Schema.String, expiresAt: Schema.DateTimeUtc }) {
  override get message(): string {
    return `Quote ${this.quoteId} expired at ${DateTime.formatIso(this.expiresAt)}. Request a new quote and sign it.`
  }
}

const remedies = {
  WAIT: "The service has stored it and retries. Repeat the request to get the result.",
  REPEAT: "The service has not stored it. Repeat the request.",
  NEW_QUOTE: "The service does not retry. Request a new quote."
} as const

export class BroadcastFailed extends Schema.TaggedError<BroadcastFailed>("core/bitcoin-payments/BroadcastFailed")(
  "FAILED_TO_BROADCAST_TRANSACTION_EXCEPTION",
  {
    /** Why the broadcast failed, such as the node's error message. */
    reason: Schema.String,
    remedy: Schema.Literals(["WAIT", "REPEAT", "NEW_QUOTE"])
  }
) {
  override get message(): string {
    return `The transaction was not broadcast: ${this.reason}. ${remedies[this.remedy]}`
  }
}
