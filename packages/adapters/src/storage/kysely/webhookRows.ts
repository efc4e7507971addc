import { jsonText } from "@countersign/core/foundation/primitives"
import { DomainEvent, EventFilter } from "@countersign/core/tenancy/events"
import { WebhookAttempt, WebhookDelivery, WebhookEndpoint, WebhookSecret } from "@countersign/core/tenancy/webhooks"
import { Schema } from "effect"
import { Instant, InstantOrNull, Json, rowCodec } from "./codec.ts"
import type { Tables } from "./migrations/index.ts"
import { openText, type SecretKey, sealText, secretsEncryptionContext } from "./secrets/index.ts"

// JSON that contains the secrets in plain text. It is encrypted before it is stored.
const Secrets = Schema.fromJsonString(
  Schema.toCodecJson(
    Schema.Array(Schema.Struct({ ...WebhookSecret.fields, secret: Schema.RedactedFromValue(Schema.String) }))
  )
)
const secretsText = { encode: Schema.encodeSync(Secrets), decode: Schema.decodeSync(Secrets) }
const EventTypes = Schema.NullOr(Json(Schema.Array(EventFilter)))

export const attemptLogText = jsonText(Schema.Array(WebhookAttempt))

const endpointRow = rowCodec(Schema.Struct({ ...WebhookEndpoint.fields, secrets: Schema.String }), {
  eventTypes: EventTypes,
  createdAt: Instant,
  disabledAt: InstantOrNull,
  failingSince: InstantOrNull
})

export const endpointColumns = endpointRow.columns

export const toEndpointRow = (
  keys: ReadonlyArray<SecretKey>,
  endpoint: WebhookEndpoint
): Tables["webhook_endpoints"] => {
  const context = secretsEncryptionContext({ id: endpoint.id, project_id: endpoint.projectId })
  return endpointRow.rowOf({ ...endpoint, secrets: sealText(keys, context, secretsText.encode(endpoint.secrets)) })
}

export const endpointFromRow = (keys: ReadonlyArray<SecretKey>, row: Tables["webhook_endpoints"]): WebhookEndpoint => ({
  ...endpointRow.fromRow(row),
  secrets: secretsText.decode(openText(keys, secretsEncryptionContext(row), row.secrets))
})

/** Decodes only the filters of an endpoint. */
export const eventTypesOf = Schema.decodeSync(EventTypes)

const eventRow = rowCodec(
  DomainEvent.mapFields(({ resource, ...fields }) => ({
    ...fields,
    resourceKind: resource.fields.kind,
    resourceId: resource.fields.id
  })),
  { at: Instant }
)

export const eventColumns = eventRow.columns

export const eventFromRow = (row: Omit<Tables["events"], "body">): DomainEvent => {
  const { resourceId, resourceKind, ...event } = eventRow.fromRow(row)
  return { ...event, resource: { kind: resourceKind, id: resourceId } }
}

export const toEventRow = ({ resource, ...event }: DomainEvent): Tables["events"] => ({
  ...eventRow.rowOf({ ...event, resourceKind: resource.kind, resourceId: resource.id }),
  body: null
})

// `due_at` is the time of the next attempt.
const deliveryRow = rowCodec(
  WebhookDelivery.mapFields(({ nextAttemptAt, ...fields }) => ({ ...fields, dueAt: nextAttemptAt })),
  { dueAt: InstantOrNull, createdAt: Instant, deliveredAt: InstantOrNull, log: Json(WebhookDelivery.fields.log) }
)

export const deliveryColumns = deliveryRow.columns

export type DeliveryRow = Pick<Tables["webhook_deliveries"], (typeof deliveryColumns)[number]>

export const deliveryFromRow = (row: DeliveryRow): WebhookDelivery => {
  const { dueAt, ...delivery } = deliveryRow.fromRow(row)
  return { ...delivery, nextAttemptAt: dueAt }
}
