import { DateTime, Effect, Option } from "effect"
import { UnitOfWork } from "../../../foundation/primitives/index.ts"
import type { WebhookEndpoint } from "../WebhookEndpoint.ts"
import { WebhookEndpointStore } from "../WebhookEndpointStore.ts"
import type { AttemptOutcome, Verdict } from "./deliveryPolicy.ts"

/**
 * How long an endpoint may fail before it is disabled. It is longer than the retries of one delivery (three days). A
 * single event therefore does not disable an endpoint, unless the endpoint requested longer delays.
 */
export const FAILING_MAX_MS = 5 * 86_400_000

const SUSTAINED_FAILURE_REASON = "it accepted no delivery for 5 days"

/**
 * Returns the time of the endpoint's first failure after its last success, including an attempt at `at`. Null if that
 * attempt succeeded.
 */
export const failingSinceAfter = (
  before: DateTime.Utc | null,
  verdict: Verdict,
  at: DateTime.Utc
): DateTime.Utc | null => (verdict._tag === "Delivered" ? null : (before ?? at))

/**
 * Returns whether to disable an endpoint that has failed since this time. True only after a delivery has used up its
 * attempts.
 */
export const isSustainedFailure = (failingSince: DateTime.Utc | null, verdict: Verdict, now: DateTime.Utc): boolean =>
  verdict._tag === "GaveUp" &&
  failingSince !== null &&
  DateTime.toEpochMillis(now) - DateTime.toEpochMillis(failingSince) >= FAILING_MAX_MS

/** A completed attempt. */
export interface EndedAttempt {
  readonly outcome: AttemptOutcome
  readonly verdict: Verdict
  readonly startedAt: DateTime.Utc
  readonly endedAt: DateTime.Utc
}

/**
 * Records the time of an endpoint's first failure after its last success. Disables the endpoint if it responds with 410
 * Gone, or if a delivery has used up its attempts and the endpoint has failed for at least `FAILING_MAX_MS`.
 */
export const endpointHealth = Effect.gen(function* () {
  const store = yield* WebhookEndpointStore
  const unitOfWork = yield* UnitOfWork

  const disable = ({ id, projectId }: WebhookEndpoint, at: DateTime.Utc, reason: string) =>
    Effect.andThen(
      store.disable(projectId, id, at, reason),
      Effect.logWarning(`webhook disabled: ${reason}`, { webhookId: id })
    )

  /**
   * Compares with the endpoint as it was claimed, so that nothing is written if nothing changes. If another worker has
   * changed the endpoint in the meantime, the stored time is wrong by at most the duration of a claim.
   */
  const storeFailingSince = Effect.fnUntraced(function* (
    endpoint: WebhookEndpoint,
    verdict: Verdict,
    at: DateTime.Utc
  ) {
    const healthAfter = failingSinceAfter(endpoint.failingSince, verdict, at)
    if ((healthAfter === null) === (endpoint.failingSince === null)) return
    yield* store.change(endpoint.projectId, endpoint.id, (current) => ({
      ...current,
      failingSince: failingSinceAfter(current.failingSince, verdict, at)
    }))
  })

  /** Reads and locks the stored endpoint, and disables it if it still fails. */
  const disableIfStillFailing = ({ id, projectId }: WebhookEndpoint, verdict: Verdict, at: DateTime.Utc) =>
    unitOfWork.run(
      Effect.gen(function* () {
        const lockedEndpoint = yield* store.change(projectId, id, (endpoint) => endpoint)
        if (Option.isNone(lockedEndpoint) || lockedEndpoint.value.disabledAt !== null) return
        if (isSustainedFailure(lockedEndpoint.value.failingSince, verdict, at)) {
          yield* disable(lockedEndpoint.value, at, SUSTAINED_FAILURE_REASON)
        }
      })
    )

  return Effect.fnUntraced(function* (
    endpoint: WebhookEndpoint,
    { endedAt, outcome, startedAt, verdict }: EndedAttempt
  ) {
    if (verdict._tag === "Gone") return yield* disable(endpoint, startedAt, "it responded with 410 Gone")
    // The request was not sent, so the endpoint did not cause the failure.
    if (outcome._tag === "Fault") return
    yield* storeFailingSince(endpoint, verdict, startedAt)
    if (isSustainedFailure(endpoint.failingSince, verdict, endedAt)) {
      yield* disableIfStillFailing(endpoint, verdict, endedAt)
    }
  })
})
