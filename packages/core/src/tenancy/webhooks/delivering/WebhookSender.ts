import { Context, Data, type Effect, type Redacted } from "effect"
import type { EventId } from "../../events/index.ts"

/** A delivery as posted: JSON text, signed with every secret as Standard Webhooks requires. */
export interface WebhookMessage {
  readonly id: EventId
  readonly url: string
  readonly body: string
  readonly secrets: ReadonlyArray<Redacted.Redacted<string>>
}

export interface WebhookAnswer {
  readonly status: number
  /** The endpoint's requested delay before the next attempt; null if it requested none. */
  readonly retryAfterMs: number | null
}

/** The endpoint did not answer in time, could not be reached, or has an address that is not allowed. */
export class NoWebhookAnswer extends Data.TaggedError("NoWebhookAnswer")<{
  /** A display text without secrets. */
  readonly reason: string
}> {}

/** Why nothing can be sent to a URL: a stable code and a message. */
export interface UrlProblem {
  readonly code: string
  readonly message: string
}

/** Posts deliveries to endpoints. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** The maximum duration of an attempt. */
    readonly deadlineMs: number
    /** The problem with a URL, as far as its text shows one; null for none. */
    readonly urlProblemOrNull: (url: string) => UrlProblem | null
    /** Posts once. Redirects count as responses, and connections to private networks are blocked. */
    readonly post: (message: WebhookMessage) => Effect.Effect<WebhookAnswer, NoWebhookAnswer>
  }
>()("@countersign/core/webhooks/WebhookSender") {}
