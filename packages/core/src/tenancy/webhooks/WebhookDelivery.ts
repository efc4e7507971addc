import { Schema } from "effect"
import { EventId, EventType } from "../events/index.ts"
import { ProjectId } from "../projects/index.ts"

/** PENDING until the endpoint accepted it, no attempts are left, or the endpoint was disabled. */
export const WebhookDeliveryStatus = Schema.Literals(["PENDING", "DELIVERED", "FAILED", "DISABLED"])
export type WebhookDeliveryStatus = typeof WebhookDeliveryStatus.Type

/** One try to deliver it. */
export const WebhookAttempt = Schema.Struct({
  at: Schema.DateTimeUtc,
  durationMs: Schema.Int,
  /** HTTP status; null where there was no answer. */
  status: Schema.NullOr(Schema.Int),
  /** Why it failed; null where it succeeded. */
  error: Schema.NullOr(Schema.String)
})
export type WebhookAttempt = typeof WebhookAttempt.Type

/** An event on its way to an endpoint. */
export const WebhookDelivery = Schema.Struct({
  id: Schema.String,
  projectId: ProjectId,
  endpointId: Schema.String,
  eventId: EventId,
  eventType: EventType,
  /** Kind and id of what the event is about, joined by a colon. */
  resource: Schema.String,
  sequence: Schema.Int,
  status: WebhookDeliveryStatus,
  /** Attempts since it was created, or since the last redelivery was asked for. */
  attempts: Schema.Int,
  /** Null where there is no next attempt, or it waits for an earlier event of the same resource. */
  nextAttemptAt: Schema.NullOr(Schema.DateTimeUtc),
  lastStatus: Schema.NullOr(Schema.Int),
  lastError: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtc,
  deliveredAt: Schema.NullOr(Schema.DateTimeUtc),
  /** The latest attempts, oldest first. */
  log: Schema.Array(WebhookAttempt)
})
export type WebhookDelivery = typeof WebhookDelivery.Type

/** Attempts that a delivery's log holds at most. */
export const ATTEMPT_LOG_MAX = 30
