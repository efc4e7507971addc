import { DateTime } from "effect"
import type { Verdict } from "./deliveryPolicy.ts"

/**
 * How long an endpoint may fail before it is disabled. Longer than the retries of one delivery (three days), so that a
 * single event is not enough, unless the endpoint asked for longer waits.
 */
export const FAILING_MAX_MS = 5 * 86_400_000

export const SUSTAINED_FAILURE_REASON = "it accepted no delivery for 5 days"

/** Since when an endpoint fails, after an attempt at `at`; null where that succeeded. */
export const failingSinceAfter = (
  before: DateTime.Utc | null,
  verdict: Verdict,
  at: DateTime.Utc
): DateTime.Utc | null => (verdict._tag === "Delivered" ? null : (before ?? at))

/** Whether an endpoint that has failed since then is disabled: only when one of its deliveries has no attempts left. */
export const isSustainedFailure = (failingSince: DateTime.Utc | null, verdict: Verdict, now: DateTime.Utc): boolean =>
  verdict._tag === "GaveUp" &&
  failingSince !== null &&
  DateTime.toEpochMillis(now) - DateTime.toEpochMillis(failingSince) >= FAILING_MAX_MS
