import { Context, type DateTime, type Effect } from "effect"
import type { RetainedKind } from "./RetentionPolicy.ts"

/**
 * Where what was gathered is removed. What is old is told by kind: a quote by its expiry, a delivery, an event and an
 * idempotency answer by when it was made, a rate window by its start. Never touched, however old: a submitted operation,
 * a pending delivery, an event of which a delivery is left, the numbering of events, and history.
 */
export class RetentionStore extends Context.Service<
  RetentionStore,
  {
    /**
     * Removes what is older than `before`, the oldest first and `limit` at most, and answers how many that were: fewer
     * than `limit` once nothing is left, or nothing that another process is not removing now. Waits for nobody, and
     * nobody waits for it longer than removing so few takes.
     */
    readonly prune: (kind: RetainedKind, before: DateTime.Utc, limit: number) => Effect.Effect<number>
    /** How many `prune` would remove in the end, with `deliveries` pruned up to the same instant before `events`. */
    readonly count: (kind: RetainedKind, before: DateTime.Utc) => Effect.Effect<number>
  }
>()("@countersign/core/retention/RetentionStore") {}
