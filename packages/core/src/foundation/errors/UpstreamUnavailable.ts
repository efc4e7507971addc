import { Schema } from "effect"

/**
 * An external service (an RPC node, a bundler, a provider) did not return a usable response. A retry may succeed; a
 * different request does not help.
 */
export class UpstreamUnavailable extends Schema.TaggedError<UpstreamUnavailable>("core/errors/UpstreamUnavailable")(
  "UPSTREAM_UNAVAILABLE",
  {
    /** The name of the service: "Ethereum RPC node", "bundler of Base". */
    upstream: Schema.String,
    /** The reason of the failure, without secrets and without URLs that contain credentials. */
    reason: Schema.String
  }
) {
  override get message(): string {
    return `${this.upstream} is unavailable: ${this.reason}. Try again shortly.`
  }
}
