import { Schema } from "effect"
import { EventId, EventType } from "../events/index.ts"
import { ProjectId } from "../projects/index.ts"

/**
 * A delivery is PENDING until the endpoint accepts it (DELIVERED), no attempts are left (FAILED), or the endpoint is
 * disabled (DISABLED).
 */
export const WebhookDeliveryStatus = Schema.Literals(["PENDING", "DELIVERED", "FAILED", "DISABLED"])
export type WebhookDeliveryStatus = typeof WebhookDeliveryStatus.Type

/** One attempt of a delivery. */
export const WebhookAttempt = Schema.Struct({
  at: Schema.DateTimeUtc,
  durationMs: Schema.Int,
  /** HTTP status. Null if there was no response. */
  status: Schema.NullOr(Schema.Int),
  /** Why the attempt failed. Null if it succeeded. */
  error: Schema.NullOr(Schema.String)
})
export type WebhookAttempt = typeof WebhookAttempt.Type

/** The delivery of an event to an endpoint. */
export const WebhookDelivery = Schema.Struct({
  id: Schema.String,
  projectId: ProjectId,
  endpointId: Schema.String,
  eventId: EventId,
  eventType: EventType,
  /** Kind and id of the event's resource, joined by a colon. */
  resource: Schema.String,
  sequence: Schema.Int,
  status: WebhookDeliveryStatus,
  /** Number of attempts since the creation, or since the last requested redelivery. */
  attempts: Schema.Int,
  /** Null if no attempt follows, or if the delivery waits for an earlier event of the same resource. */
  nextAttemptAt: Schema.NullOr(Schema.DateTimeUtc),
  lastStatus: Schema.NullOr(Schema.Int),
  lastError: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtc,
  deliveredAt: Schema.NullOr(Schema.DateTimeUtc),
  /** The latest attempts, oldest first. */
  log: Schema.Array(WebhookAttempt)
})
export type WebhookDelivery = typeof WebhookDelivery.Type

/** Maximum number of attempts in a delivery's log. */
export const ATTEMPT_LOG_MAX = 30
