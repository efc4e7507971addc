import { DateTime, Schema } from "effect"
import { EventFilter } from "../events/index.ts"
import { ProjectId } from "../projects/index.ts"

/** What deliveries are signed with. It has to be kept as it is, because signing needs it. */
export const WebhookSecret = Schema.Struct({
  /** `whsec_` and the key in base 64. */
  secret: Schema.Redacted(Schema.String),
  createdAt: Schema.DateTimeUtc,
  /** Null while no other replaces it. */
  expiresAt: Schema.NullOr(Schema.DateTimeUtc)
})
export type WebhookSecret = typeof WebhookSecret.Type

/** Where a project wants to be told of events. */
export const WebhookEndpoint = Schema.Struct({
  id: Schema.String,
  projectId: ProjectId,
  url: Schema.String,
  description: Schema.String,
  /** Null for all events. */
  eventTypes: Schema.NullOr(Schema.Array(EventFilter)),
  /** Newest first; several while one replaces another. */
  secrets: Schema.Array(WebhookSecret),
  createdAt: Schema.DateTimeUtc,
  /** Nothing is sent to a disabled endpoint. */
  disabledAt: Schema.NullOr(Schema.DateTimeUtc),
  disabledReason: Schema.NullOr(Schema.String),
  /** Since when it has taken nothing that it was sent; null while it takes it. */
  failingSince: Schema.NullOr(Schema.DateTimeUtc)
})
export type WebhookEndpoint = typeof WebhookEndpoint.Type

/** Those with which a delivery is signed now, newest first. */
export const activeSecrets = (secrets: ReadonlyArray<WebhookSecret>, now: DateTime.Utc): ReadonlyArray<WebhookSecret> =>
  secrets.filter(({ expiresAt }) => expiresAt === null || DateTime.isGreaterThan(expiresAt, now))

/** More would make the signature header long; the oldest give way. */
export const SECRETS_MAX = 4

/** The secrets once another is the newest: the earlier ones sign on for the overlap, and none longer than it would have. */
export const rotatedSecrets = (
  secrets: ReadonlyArray<WebhookSecret>,
  fresh: WebhookSecret["secret"],
  now: DateTime.Utc,
  overlapSeconds: number
): ReadonlyArray<WebhookSecret> => {
  const end = DateTime.add(now, { seconds: overlapSeconds })
  const earlier = secrets.map((secret) => ({
    ...secret,
    expiresAt: secret.expiresAt === null ? end : DateTime.min(secret.expiresAt, end)
  }))
  return [{ secret: fresh, createdAt: now, expiresAt: null }, ...activeSecrets(earlier, now)].slice(0, SECRETS_MAX)
}
