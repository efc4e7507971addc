import { Context, DateTime } from "effect"
import { IDEMPOTENCY_HOURS } from "../idempotency/index.ts"
import type { RateLimit } from "../metering/index.ts"

/** How long the service keeps data that it no longer needs. */
export interface RetentionPolicy {
  /**
   * Days after its expiry until an unsigned quote or a fiat quote is deleted: long enough to investigate why it was not
   * executed.
   */
  readonly quoteDays: number
  /**
   * Days until an event and its ended deliveries are deleted: long enough to notice a broken receiver and redeliver.
   */
  readonly deliveryDays: number
  /** Days until personal data are deleted if the identity was rejected, or if its documents were not submitted. */
  readonly refusedIdentityDays: number
  /** Days until an ended execution and its quote are moved into the archive. */
  readonly archiveDays: number
}

export const RetentionPolicy = Context.Reference<RetentionPolicy>("@countersign/core/retention/RetentionPolicy", {
  defaultValue: () => ({ quoteDays: 7, deliveryDays: 30, refusedIdentityDays: 90, archiveDays: 90 })
})

/** The kinds of records that are deleted at a certain age. Executions are moved into the archive instead. */
export type RetainedKind =
  | "quotes"
  | "fiatQuotes"
  | "deliveries"
  | "events"
  | "idempotencyResponses"
  | "rateWindows"
  | "unpaidGas"
  | "executions"

/** Unpaid gas counts for two days, but an operator may need older entries. */
const UNPAID_GAS_DAYS = 30

/**
 * The longest possible window of a rate limit. Used if no limit is set in this process, because another process may
 * have one.
 */
const UNKNOWN_WINDOW_SECONDS = 86_400

/**
 * Returns the time before which records of each kind can be deleted or archived. The order matters, because an event is
 * kept while it has a delivery. The age of a rate limit window counts from its start, and one more window is added
 * because clocks differ.
 */
export const retentionCutoffs = (
  { archiveDays, deliveryDays, quoteDays }: RetentionPolicy,
  rateLimit: RateLimit | null,
  now: DateTime.Utc
): Readonly<Record<RetainedKind, DateTime.Utc>> => {
  const millisAgo = (milliseconds: number) => DateTime.subtract(now, { milliseconds })
  const quotes = millisAgo(quoteDays * 86_400_000)
  const deliveries = millisAgo(deliveryDays * 86_400_000)
  return {
    quotes,
    fiatQuotes: quotes,
    deliveries,
    events: deliveries,
    idempotencyResponses: millisAgo(IDEMPOTENCY_HOURS * 3_600_000),
    rateWindows: millisAgo(2_000 * (rateLimit?.windowSeconds ?? UNKNOWN_WINDOW_SECONDS)),
    unpaidGas: millisAgo(UNPAID_GAS_DAYS * 86_400_000),
    executions: millisAgo(archiveDays * 86_400_000)
  }
}
