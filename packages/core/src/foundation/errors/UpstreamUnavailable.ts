import { Schema } from "effect"

/**
 * An external service (an RPC node, a bundler, a provider) did not give a usable response. A retry can help; changing
 * the request cannot.
 */
export class UpstreamUnavailable extends Schema.TaggedError<UpstreamUnavailable>("core/errors/UpstreamUnavailable")(
  "UPSTREAM_UNAVAILABLE",
  {
    /** The name of the service: "Ethereum RPC node", "bundler of Base". */
    upstream: Schema.String,
    /** The reason of the failure, without secrets or URLs with credentials. */
    reason: Schema.String
  }
) {
  override get message(): string {
    return `${this.upstream} is unavailable: ${this.reason}. Try again shortly.`
  }
}
