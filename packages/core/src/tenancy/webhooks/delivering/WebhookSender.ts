import { Context, Data, type Effect, type Redacted } from "effect"
import type { EventId } from "../../events/index.ts"

/** A delivery as it is posted: JSON text, signed with every secret as Standard Webhooks asks. */
export interface WebhookMessage {
  readonly id: EventId
  readonly url: string
  readonly body: string
  readonly secrets: ReadonlyArray<Redacted.Redacted<string>>
}

export interface WebhookAnswer {
  readonly status: number
  /** How long the endpoint asks to wait before the next attempt; null where it does not. */
  readonly retryAfterMs: number | null
}

/** The endpoint did not answer in time, could not be reached, or has an address that is not allowed. */
export class NoWebhookAnswer extends Data.TaggedError("NoWebhookAnswer")<{
  /** In words, without secrets. */
  readonly reason: string
}> {}

/** Why nothing can be sent to a URL: a stable code and a sentence. */
export interface UrlProblem {
  readonly code: string
  readonly message: string
}

/** Posts deliveries to endpoints. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** No attempt takes longer than this. */
    readonly deadlineMs: number
    /** The problem with a URL, as far as its text shows; null for none. */
    readonly urlProblemOrNull: (url: string) => UrlProblem | null
    /** Posts once. Redirects count as answers, and addresses of private networks are not connected to. */
    readonly post: (message: WebhookMessage) => Effect.Effect<WebhookAnswer, NoWebhookAnswer>
  }
>()("@countersign/core/webhooks/WebhookSender") {}
