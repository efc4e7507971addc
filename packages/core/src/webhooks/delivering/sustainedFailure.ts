import { DateTime } from "effect"
import type { Verdict } from "./deliveryPolicy.ts"

/**
 * For how long an endpoint may take nothing before it is disabled. Longer than one delivery is tried by the schedule
 * (three days), so that a single event is not enough unless the endpoint itself asked for longer waits.
 */
export const FAILING_MAX_MS = 5 * 86_400_000

export const SUSTAINED_FAILURE_REASON = "it took nothing for 5 days"

/** Since when an endpoint takes nothing, after an attempt at `at`; null where it takes what it is sent. */
export const failingSinceAfter = (
  before: DateTime.Utc | null,
  verdict: Verdict,
  at: DateTime.Utc
): DateTime.Utc | null => (verdict._tag === "Delivered" ? null : (before ?? at))

/** Whether an endpoint that takes nothing since then is given up, now that one of its deliveries used up its attempts. */
export const isSustainedFailure = (failingSince: DateTime.Utc | null, verdict: Verdict, now: DateTime.Utc): boolean =>
  verdict._tag === "GaveUp" &&
  failingSince !== null &&
  DateTime.toEpochMillis(now) - DateTime.toEpochMillis(failingSince) >= FAILING_MAX_MS
