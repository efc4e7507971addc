import { Context, type DateTime, type Effect } from "effect"
import type { RetainedKind } from "./RetentionPolicy.ts"

/**
 * Deletes old rows. The age of a quote counts from its expiry, that of a delivery, an event and an idempotency response
 * from its creation, that of a rate limit window from its start, that of unpaid gas from when it was counted, and that
 * of an execution from its end. Executions are moved into the archive with their quotes: the stores still find them,
 * and nothing changes them. These are never deleted: pending executions, pending deliveries, events with a delivery,
 * the sequence numbers of events, and the history.
 */
export class RetentionStore extends Context.Service<
  RetentionStore,
  {
    /**
     * Deletes at most `limit` rows older than `before`, oldest first, and returns their number. It is lower than
     * `limit` if no others are left, except rows that another process is deleting now. Does not wait for locks.
     */
    readonly prune: (kind: RetainedKind, before: DateTime.Utc, limit: number) => Effect.Effect<number>
    /**
     * Returns the number of rows that `prune` would delete in total. For `events`, it assumes that `deliveries` were
     * pruned first.
     */
    readonly count: (kind: RetainedKind, before: DateTime.Utc) => Effect.Effect<number>
  }
>()("@countersign/core/retention/RetentionStore") {}
