import { Context, Data, type Effect, type Redacted } from "effect"
import type { EventId } from "../events/index.ts"

/** A delivery as it is posted: JSON text, signed with every secret by Standard Webhooks. */
export interface WebhookMessage {
  readonly id: EventId
  readonly url: string
  readonly body: string
  readonly secrets: ReadonlyArray<Redacted.Redacted<string>>
}

export interface WebhookAnswer {
  readonly status: number
  /** The header of that name as it came. */
  readonly retryAfter: string | null
}

/** The endpoint did not answer in time, could not be reached, or is one that must not be reached. */
export class NoWebhookAnswer extends Data.TaggedError("NoWebhookAnswer")<{
  /** In words, without secrets. */
  readonly reason: string
}> {}

/** Why a URL is none to send to: a stable code and a sentence. */
export interface UrlProblem {
  readonly code: string
  readonly message: string
}

/** What takes deliveries to endpoints. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** No attempt takes longer than this. */
    readonly deadlineMs: number
    /** What can be told against a URL by looking at it; null for nothing. */
    readonly urlProblemOrNull: (url: string) => UrlProblem | null
    /** Posts once: redirects are answers, and addresses inside of a private network are not connected to. */
    readonly post: (message: WebhookMessage) => Effect.Effect<WebhookAnswer, NoWebhookAnswer>
  }
>()("@countersign/core/webhooks/WebhookSender") {}
