import { Context, type DateTime, type Effect } from "effect"
import type { RetainedKind } from "./RetentionPolicy.ts"

/**
 * Deletes old rows. The age of a row counts from:
 * - quote, fiat quote: its expiry
 * - delivery, event, idempotency response: its creation
 * - rate limit window: its start
 * - unpaid gas: the time when it was counted
 * - execution: its end
 *
 * Executions are moved into the archive with their quotes: the stores still find them, and nothing changes them. These
 * are never deleted: pending executions, pending deliveries, events with a delivery, the sequence numbers of events,
 * and the history.
 */
export class RetentionStore extends Context.Service<
  RetentionStore,
  {
    /**
     * Deletes at most `limit` rows older than `before`, oldest first. Returns the number of deleted rows. A number
     * below `limit` means that only rows remain that another process is deleting now, or none. Does not wait for locks.
     */
    readonly prune: (kind: RetainedKind, before: DateTime.Utc, limit: number) => Effect.Effect<number>
    /**
     * Returns the number of rows that `prune` would delete in total. For `events`, it assumes that `deliveries` were
     * pruned first.
     */
    readonly count: (kind: RetainedKind, before: DateTime.Utc) => Effect.Effect<number>
  }
>()("@countersign/core/retention/RetentionStore") {}
