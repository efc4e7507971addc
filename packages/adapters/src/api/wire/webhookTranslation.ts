import type { WebhookDelivery, WebhookEndpoint } from "@countersign/core/tenancy/webhooks"
import { DateTime } from "effect"

const isoOrNull = (at: DateTime.Utc | null) => (at === null ? null : DateTime.formatIso(at))

export const endpointBody = (endpoint: WebhookEndpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description,
  eventTypes: endpoint.eventTypes,
  status: endpoint.disabledAt === null ? ("ENABLED" as const) : ("DISABLED" as const),
  disabledAt: isoOrNull(endpoint.disabledAt),
  disabledReason: endpoint.disabledReason,
  failingSince: isoOrNull(endpoint.failingSince),
  createdAt: DateTime.formatIso(endpoint.createdAt),
  secrets: endpoint.secrets.map(({ createdAt, expiresAt }) => ({
    createdAt: DateTime.formatIso(createdAt),
    expiresAt: isoOrNull(expiresAt)
  }))
})

export const deliveryBody = (delivery: WebhookDelivery) => ({
  id: delivery.id,
  webhookId: delivery.endpointId,
  eventId: delivery.eventId,
  type: delivery.eventType,
  resource: delivery.resource,
  sequence: delivery.sequence,
  status: delivery.status,
  attempts: delivery.attempts,
  nextAttemptAt: isoOrNull(delivery.nextAttemptAt),
  lastResponseStatus: delivery.lastStatus,
  lastError: delivery.lastError,
  createdAt: DateTime.formatIso(delivery.createdAt),
  deliveredAt: isoOrNull(delivery.deliveredAt),
  attemptLog: delivery.log.map(({ at, durationMs, error, status }) => ({
    at: DateTime.formatIso(at),
    durationMs,
    responseStatus: status,
    error
  }))
})
