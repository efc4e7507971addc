import { Schema } from "effect"

/**
 * An external service (an RPC node, a bundler, a provider) did not return a usable response. A retry may succeed; a
 * different request would not help.
 */
export class UpstreamUnavailable extends Schema.TaggedError<UpstreamUnavailable>("core/errors/UpstreamUnavailable")(
  "UPSTREAM_UNAVAILABLE",
  {
    /** Name of the service, such as "Ethereum RPC node" or "bundler of Base". */
    upstream: Schema.String,
    /** Reason for the failure, without secrets and without URLs that contain credentials. */
    reason: Schema.String
  }
) {
  override get message(): string {
    return `${this.upstream} is unavailable: ${this.reason}. Try again shortly.`
  }
}
