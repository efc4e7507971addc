import { Context, DateTime } from "effect"
import { IDEMPOTENCY_HOURS } from "../idempotency/index.ts"
import type { RateLimit } from "../metering/index.ts"

/** How long the service stores data that it no longer needs. */
export interface RetentionPolicy {
  /** For an unsigned quote after it expired: long enough to investigate why it was not executed. */
  readonly quoteDays: number
  /** For an event and its ended deliveries, after the event: long enough to notice a broken receiver and redeliver. */
  readonly deliveryDays: number
  /** For personal data of an identity that was refused, or whose documents were not submitted. */
  readonly refusedIdentityDays: number
  /** For an ended execution and its quote, until they are moved into the archive. */
  readonly archiveDays: number
}

export const RetentionPolicy = Context.Reference<RetentionPolicy>("@countersign/core/retention/RetentionPolicy", {
  defaultValue: () => ({ quoteDays: 7, deliveryDays: 30, refusedIdentityDays: 90, archiveDays: 90 })
})

/** The kinds of records that are removed at a certain age. Executions are moved into the archive. */
export type RetainedKind =
  | "quotes"
  | "deliveries"
  | "events"
  | "idempotencyAnswers"
  | "rateWindows"
  | "losses"
  | "executions"

/** Unpaid gas counts for two days, and an operator may look back further. */
const LOSS_DAYS = 30

/** The longest window of a limit that is not set in this process but may be set in another one. */
const UNKNOWN_WINDOW_SECONDS = 86_400

/**
 * The latest time of each kind that can be removed now. The order matters: an event is kept while it has a delivery.
 * The age of a rate limit window counts from its start, and one more window is added because clocks differ.
 */
export const cutoffs = (
  { archiveDays, deliveryDays, quoteDays }: RetentionPolicy,
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
    rateWindows: ago(2_000 * (rateLimit?.windowSeconds ?? UNKNOWN_WINDOW_SECONDS)),
    losses: ago(LOSS_DAYS * 86_400_000),
    executions: ago(archiveDays * 86_400_000)
  }
}
