import { type DomainEvent, DomainEvent as DomainEventSchema, EventFilter } from "@countersign/core/events"
import { jsonText } from "@countersign/core/primitives"
import { WebhookAttempt, WebhookDelivery, WebhookEndpoint, WebhookSecret } from "@countersign/core/webhooks"
import { Schema } from "effect"
import { checkType, instantOf, instantOrNull, millisOf, millisOrNull } from "./codec.ts"
import { opened, placeOfSecrets, type SecretKey, sealed } from "./secrets/index.ts"
import type { Tables } from "./tables.ts"

// The JSON text contains the secrets in the clear: it is stored sealed.
const Secrets = Schema.fromJsonString(
  Schema.toCodecJson(
    Schema.Array(Schema.Struct({ ...WebhookSecret.fields, secret: Schema.RedactedFromValue(Schema.String) }))
  )
)
const secretsText = { encode: Schema.encodeSync(Secrets), decode: Schema.decodeSync(Secrets) }
const eventTypesText = jsonText(Schema.Array(EventFilter))
const logText = jsonText(Schema.Array(WebhookAttempt))

const checkedEndpoint = checkType(WebhookEndpoint)
const checkedDelivery = checkType(WebhookDelivery)
const checkedEvent = checkType(DomainEventSchema)

/** Columns are named one by one: a plan that Postgres keeps for `*` fails once a migration has added a column. */
export const endpointColumns = [
  "id",
  "project_id",
  "url",
  "description",
  "event_types",
  "secrets",
  "created_at",
  "disabled_at",
  "disabled_reason",
  "failing_since"
] as const satisfies ReadonlyArray<keyof Tables["webhook_endpoints"]>

export const rowOfEndpoint = (
  keys: ReadonlyArray<SecretKey>,
  endpoint: WebhookEndpoint
): Tables["webhook_endpoints"] => ({
  id: endpoint.id,
  project_id: endpoint.projectId,
  url: endpoint.url,
  description: endpoint.description,
  event_types: endpoint.eventTypes === null ? null : eventTypesText.encode(endpoint.eventTypes),
  secrets: sealed(
    keys,
    placeOfSecrets({ id: endpoint.id, project_id: endpoint.projectId }),
    secretsText.encode(endpoint.secrets)
  ),
  created_at: millisOf(endpoint.createdAt),
  disabled_at: millisOrNull(endpoint.disabledAt),
  disabled_reason: endpoint.disabledReason,
  failing_since: millisOrNull(endpoint.failingSince)
})

export const endpointOfRow = (keys: ReadonlyArray<SecretKey>, row: Tables["webhook_endpoints"]): WebhookEndpoint =>
  checkedEndpoint({
    id: row.id,
    projectId: row.project_id,
    url: row.url,
    description: row.description,
    eventTypes: row.event_types === null ? null : eventTypesText.decode(row.event_types),
    secrets: secretsText.decode(opened(keys, placeOfSecrets(row), row.secrets)),
    createdAt: instantOf(row.created_at),
    disabledAt: instantOrNull(row.disabled_at),
    disabledReason: row.disabled_reason,
    failingSince: instantOrNull(row.failing_since)
  })

/** The filters of an endpoint alone. */
export const eventTypesOfRow = (row: Pick<Tables["webhook_endpoints"], "event_types">) =>
  row.event_types === null ? null : eventTypesText.decode(row.event_types)

export const eventOfRow = (row: Omit<Tables["events"], "body">): DomainEvent =>
  checkedEvent({
    id: row.id,
    projectId: row.project_id,
    type: row.type,
    resource: { kind: row.resource_kind, id: row.resource_id },
    sequence: row.sequence,
    at: instantOf(row.at),
    previousStatus: row.previous_status,
    snapshot: row.snapshot
  })

export const rowOfEvent = (event: DomainEvent): Tables["events"] => ({
  id: event.id,
  project_id: event.projectId,
  type: event.type,
  resource_kind: event.resource.kind,
  resource_id: event.resource.id,
  sequence: event.sequence,
  at: millisOf(event.at),
  previous_status: event.previousStatus,
  snapshot: event.snapshot,
  body: null
})

export const deliveryColumns = [
  "id",
  "project_id",
  "endpoint_id",
  "event_id",
  "event_type",
  "resource",
  "sequence",
  "status",
  "attempts",
  "due_at",
  "last_status",
  "last_error",
  "created_at",
  "delivered_at",
  "log"
] as const satisfies ReadonlyArray<keyof Tables["webhook_deliveries"]>

export type DeliveryRow = Pick<Tables["webhook_deliveries"], (typeof deliveryColumns)[number]>

export const deliveryOfRow = (row: DeliveryRow): WebhookDelivery =>
  checkedDelivery({
    id: row.id,
    projectId: row.project_id,
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    eventType: row.event_type,
    resource: row.resource,
    sequence: row.sequence,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: instantOrNull(row.due_at),
    lastStatus: row.last_status,
    lastError: row.last_error,
    createdAt: instantOf(row.created_at),
    deliveredAt: instantOrNull(row.delivered_at),
    log: logText.decode(row.log)
  })

export const attemptLogText = logText
