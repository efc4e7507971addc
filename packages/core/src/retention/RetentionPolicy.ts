import { Context, DateTime } from "effect"
import { IDEMPOTENCY_HOURS } from "../idempotency/index.ts"
import type { RateLimit } from "../metering/index.ts"

/** How long the service keeps what it no longer works on. */
export interface RetentionPolicy {
  /** Of a quote that nobody signed, from when it expired: long enough to ask what it was and why it was not executed. */
  readonly quoteDays: number
  /**
   * Of an event and of a delivery that has ended, from when the event was told: long enough to find out about a broken
   * receiver and to ask for redelivery.
   */
  readonly deliveryDays: number
}

export const RetentionPolicy = Context.Reference<RetentionPolicy>("@countersign/core/retention/RetentionPolicy", {
  defaultValue: () => ({ quoteDays: 7, deliveryDays: 30 })
})

/** What is removed once it is old enough. */
export type RetainedKind = "quotes" | "deliveries" | "events" | "idempotencyAnswers" | "rateWindows"

/** Windows of a limit that this process does not know of (another one may have it) are no longer than this. */
const UNKNOWN_WINDOW_SECONDS = 86_400

/**
 * The instants before which things may go, now, in the order in which they have to: an event stays as long as a delivery
 * of it is there. Rate windows go by their start, one window later than they are over, because clocks differ.
 */
export const cutoffs = (
  { deliveryDays, quoteDays }: RetentionPolicy,
  rateLimit: RateLimit | null,
  now: DateTime.Utc
): Readonly<Record<RetainedKind, DateTime.Utc>> => {
  const ago = (milliseconds: number) => DateTime.subtract(now, { milliseconds })
  const deliveries = ago(deliveryDays * 86_400_000)
  return {
    quotes: ago(quoteDays * 86_400_000),
    deliveries,
    events: deliveries,
    idempotencyAnswers: ago(IDEMPOTENCY_HOURS * 3_600_000),
    rateWindows: ago(2_000 * (rateLimit?.windowSeconds ?? UNKNOWN_WINDOW_SECONDS))
  }
}
