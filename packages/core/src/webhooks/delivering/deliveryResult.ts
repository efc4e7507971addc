import { DateTime } from "effect"
import type { WebhookDeliveryStatus } from "../WebhookDelivery.ts"
import { type AttemptOutcome, attemptError, type Verdict } from "./deliveryPolicy.ts"
import type { DeliveryResult } from "./WebhookDeliveryQueue.ts"

const statuses: Readonly<Record<Verdict["_tag"], WebhookDeliveryStatus>> = {
  Delivered: "DELIVERED",
  Retry: "PENDING",
  GaveUp: "FAILED",
  Gone: "DISABLED"
}

/** The stored result of an attempt that began at `startedAt` and ended at `now`. */
export const deliveryResult = (
  attempts: number,
  outcome: AttemptOutcome,
  verdict: Verdict,
  startedAt: DateTime.Utc,
  now: DateTime.Utc
): DeliveryResult => {
  const error = attemptError(outcome)
  const status = outcome._tag === "Answered" ? outcome.status : null
  const durationMs = Math.max(0, DateTime.toEpochMillis(now) - DateTime.toEpochMillis(startedAt))
  return {
    status: statuses[verdict._tag],
    attempts,
    nextAttemptAt: verdict._tag === "Retry" ? DateTime.add(now, { milliseconds: verdict.delayMs }) : null,
    lastStatus: status,
    lastError: error,
    deliveredAt: verdict._tag === "Delivered" ? now : null,
    attempt: { at: startedAt, durationMs, status, error }
  }
}
