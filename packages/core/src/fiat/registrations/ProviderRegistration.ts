import { type DateTime, Schema } from "effect"
import { delayForAgeMs } from "../../foundation/work/index.ts"
import type { VerificationSession } from "../../identity/index.ts"
import { ProjectId } from "../../tenancy/projects/index.ts"
import { canRegistrationTransition, RegistrationStatus } from "./registrationStates.ts"

/** The registration of a verified identity as a customer of a fiat provider. It contains no personal data. */
export const ProviderRegistration = Schema.Struct({
  projectId: ProjectId,
  identityId: Schema.String,
  /** The provider's name, such as `bridge`. */
  provider: Schema.String,
  /** The approved session, whose data and documents the provider receives. */
  sessionId: Schema.String,
  status: RegistrationStatus,
  /** Why the provider rejected the identity. Null unless the status is REJECTED. */
  reason: Schema.NullOr(Schema.String),
  /** Names of the data that the provider requires. Empty unless the status is ACTION_REQUIRED. */
  fields: Schema.Array(Schema.String),
  /** Number of data submissions. Within one attempt, a request to the provider can be repeated safely. */
  attempt: Schema.Int,
  createdAt: Schema.DateTimeUtc,
  /** The time of the latest change of status or fields. */
  updatedAt: Schema.DateTimeUtc
})
export type ProviderRegistration = typeof ProviderRegistration.Type

/** A provider's response about a registration. */
export type RegistrationOutcome =
  | { readonly status: "PENDING" | "ACTIVE" }
  | { readonly status: "ACTION_REQUIRED"; readonly fields: ReadonlyArray<string> }
  | { readonly status: "REJECTED"; readonly reason: string }

/**
 * Returns the registration after the provider's response. If the status and the fields are unchanged, or if the state
 * table does not allow the change, returns the same object.
 */
export const registrationAfter = (
  before: ProviderRegistration,
  outcome: RegistrationOutcome,
  now: DateTime.Utc
): ProviderRegistration => {
  const { status } = outcome
  const fields = outcome.status === "ACTION_REQUIRED" ? outcome.fields : []
  const reason = outcome.status === "REJECTED" ? outcome.reason : null
  const isSame = status === before.status && fields.join() === before.fields.join()
  if (isSame || (status !== before.status && !canRegistrationTransition(before.status, status))) return before
  return { ...before, status, reason, fields, updatedAt: now }
}

/** Returns whether the provider needs other data, so that the caller can submit the identity again. */
export const allowsNextAttempt = ({ status }: Pick<ProviderRegistration, "status">): boolean =>
  status === "REJECTED" || status === "ACTION_REQUIRED"

/**
 * Creates the registration of a newly approved identity. `before` is its registration after an earlier verification.
 * If the provider then rejected the identity or required more data, this is another attempt, so that the provider
 * receives the new data.
 */
export const attemptOfSession = (
  { id, identityId, projectId, updatedAt }: VerificationSession,
  provider: string,
  before: ProviderRegistration | null
): ProviderRegistration => ({
  projectId,
  identityId,
  provider,
  sessionId: id,
  status: "PENDING",
  reason: null,
  fields: [],
  attempt: before === null ? 0 : before.attempt + (allowsNextAttempt(before) ? 1 : 0),
  createdAt: updatedAt,
  updatedAt
})

/** Returns the registration after the required data were submitted. */
export const nextAttempt = (before: ProviderRegistration, now: DateTime.Utc): ProviderRegistration => ({
  ...before,
  status: "PENDING",
  reason: null,
  fields: [],
  attempt: before.attempt + 1,
  updatedAt: now
})

/** Bounds of the delay between two checks, and its share of the time since the latest change. */
const CHECK_DELAY = { shortestMs: 5_000, longestMs: 3_600_000, share: 1 / 8 }

/** Returns the delay until the service repeats a check to which the provider did not respond. */
export const retryDelayMs = ({ updatedAt }: Pick<ProviderRegistration, "updatedAt">, now: DateTime.Utc): number =>
  delayForAgeMs(updatedAt, now, CHECK_DELAY)

/**
 * Returns the delay until the next check of a registration. Null for an ACTIVE or REJECTED registration, which is not
 * polled.
 */
export const checkDelayMsOrNull = (
  registration: Pick<ProviderRegistration, "status" | "updatedAt">,
  now: DateTime.Utc
): number | null =>
  registration.status === "ACTIVE" || registration.status === "REJECTED" ? null : retryDelayMs(registration, now)
