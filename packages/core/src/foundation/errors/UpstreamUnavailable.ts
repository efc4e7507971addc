import { Schema } from "effect"

/**
 * A service that we call (a chain's node, a bundler, a provider) did not give a usable answer.
 * Trying again later can help; changing the request can't.
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
