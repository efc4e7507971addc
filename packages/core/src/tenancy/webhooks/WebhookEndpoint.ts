import { DateTime, Schema } from "effect"
import { EventFilter } from "../events/index.ts"
import { ProjectId } from "../projects/index.ts"

/** A key that signs deliveries. It is stored in plain text, because signing needs the key itself and not a hash. */
export const WebhookSecret = Schema.Struct({
  /** `whsec_` followed by the key in base64. */
  secret: Schema.Redacted(Schema.String),
  createdAt: Schema.DateTimeUtc,
  /** Null until a rotation replaces the secret. */
  expiresAt: Schema.NullOr(Schema.DateTimeUtc)
})
export type WebhookSecret = typeof WebhookSecret.Type

/** A URL to which the events of a project are sent. */
export const WebhookEndpoint = Schema.Struct({
  id: Schema.String,
  projectId: ProjectId,
  url: Schema.String,
  description: Schema.String,
  /** Null selects all events. */
  eventTypes: Schema.NullOr(Schema.Array(EventFilter)),
  /** Newest first. Replaced secrets may stay in this list after their expiry, until the next rotation. */
  secrets: Schema.Array(WebhookSecret),
  createdAt: Schema.DateTimeUtc,
  /**
   * The time when the endpoint was disabled. A disabled endpoint receives no deliveries. Null if the endpoint is
   * enabled.
   */
  disabledAt: Schema.NullOr(Schema.DateTimeUtc),
  disabledReason: Schema.NullOr(Schema.String),
  /** The time of the first failure since the last success. Null after a success. */
  failingSince: Schema.NullOr(Schema.DateTimeUtc)
})
export type WebhookEndpoint = typeof WebhookEndpoint.Type

/** The fields of an enabled endpoint. */
export const ENABLED_FIELDS = { disabledAt: null, disabledReason: null, failingSince: null } as const

/** Creates an endpoint from a request, with its first secret. */
export const newEndpoint = (
  { description, eventTypes, url }: Pick<WebhookEndpoint, "description" | "eventTypes" | "url">,
  {
    secret,
    ...fields
  }: Pick<WebhookEndpoint, "createdAt" | "id" | "projectId"> & { readonly secret: WebhookSecret["secret"] }
): WebhookEndpoint => ({
  ...fields,
  url,
  description,
  eventTypes,
  secrets: [{ secret, createdAt: fields.createdAt, expiresAt: null }],
  ...ENABLED_FIELDS
})

/** Returns the secrets that sign deliveries now, newest first. */
export const activeSecrets = (secrets: ReadonlyArray<WebhookSecret>, now: DateTime.Utc): ReadonlyArray<WebhookSecret> =>
  secrets.filter(({ expiresAt }) => expiresAt === null || DateTime.isGreaterThan(expiresAt, now))

/** Maximum number of secrets, which limits the length of the signature header. The oldest ones are dropped. */
export const SECRETS_MAX = 4

/**
 * Returns the secrets after a rotation. Earlier secrets stay valid for the overlap, unless they expire earlier or
 * exceed `SECRETS_MAX`.
 */
export const rotateSecrets = (
  secrets: ReadonlyArray<WebhookSecret>,
  newSecret: WebhookSecret["secret"],
  now: DateTime.Utc,
  overlapSeconds: number
): ReadonlyArray<WebhookSecret> => {
  const end = DateTime.add(now, { seconds: overlapSeconds })
  const earlierSecrets = secrets.map((secret) => ({
    ...secret,
    expiresAt: secret.expiresAt === null ? end : DateTime.min(secret.expiresAt, end)
  }))
  return [{ secret: newSecret, createdAt: now, expiresAt: null }, ...activeSecrets(earlierSecrets, now)].slice(
    0,
    SECRETS_MAX
  )
}
