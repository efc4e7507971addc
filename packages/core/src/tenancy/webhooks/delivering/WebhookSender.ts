import { Context, Data, type Effect, type Redacted } from "effect"
import type { EventId } from "../../events/index.ts"

/** A delivery as it is sent: JSON text, signed with every active secret as Standard Webhooks requires. */
export interface WebhookMessage {
  readonly id: EventId
  readonly url: string
  readonly body: string
  readonly secrets: ReadonlyArray<Redacted.Redacted<string>>
}

export interface WebhookResponse {
  readonly status: number
  /** The delay until the next attempt that the endpoint requested, in milliseconds. Null if it requested none. */
  readonly retryAfterMs: number | null
}

/** The endpoint did not respond in time, was not reachable, or has a network address that is not allowed. */
export class NoWebhookResponse extends Data.TaggedError("NoWebhookAnswer")<{
  /** A display text without secrets. */
  readonly reason: string
}> {}

/** Why the service does not send to a URL: a stable code and a message. */
export interface UrlProblem {
  readonly code: string
  readonly message: string
}

/** Posts deliveries to endpoints. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** Maximum duration of an attempt in milliseconds. */
    readonly deadlineMs: number
    /** Checks the text of a URL without sending a request. Returns its problem. Null if there is none. */
    readonly urlProblemOrNull: (url: string) => UrlProblem | null
    /** Sends one POST request. A redirect counts as a response. Connections to private networks are blocked. */
    readonly post: (message: WebhookMessage) => Effect.Effect<WebhookResponse, NoWebhookResponse>
  }
>()("@countersign/core/webhooks/WebhookSender") {}
