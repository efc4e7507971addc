import { Context, type DateTime, type Effect } from "effect"
import type { RetainedKind } from "./RetentionPolicy.ts"

/**
 * Removes old rows. The age of a quote counts from its expiry, of a delivery, an event and an idempotency response from
 * its creation, of a rate limit window from its start, of unpaid gas from when it was counted, of an execution from its
 * end. Executions are moved into the archive with their quotes: the stores still find them, and nothing changes them.
 * Never removed at any age: pending executions, pending deliveries, events with a delivery, the sequence numbers of
 * events, and history.
 */
export class RetentionStore extends Context.Service<
  RetentionStore,
  {
    /**
     * Removes rows older than `before`, oldest first and at most `limit`, and returns their number: fewer than `limit`
     * if no others are left, except rows that another process is removing now. It does not wait for locks.
     */
    readonly prune: (kind: RetainedKind, before: DateTime.Utc, limit: number) => Effect.Effect<number>
    /** How many `prune` would remove in total. For `events`, as if `deliveries` had been pruned first. */
    readonly count: (kind: RetainedKind, before: DateTime.Utc) => Effect.Effect<number>
  }
>()("@countersign/core/retention/RetentionStore") {}
