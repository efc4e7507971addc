import { Context, DateTime, Effect, Layer, Record } from "effect"
import { RateLimitSettings } from "../metering/index.ts"
import { type RetainedKind, RetentionPolicy, retentionCutoffs } from "./RetentionPolicy.ts"
import { RetentionStore } from "./RetentionStore.ts"

/**
 * Maximum number of rows that one statement deletes. It is small, because the statement locks the rows, and on SQLite
 * blocks the process for milliseconds.
 */
export const BATCH_ROWS = 100
/** Pause in milliseconds between two batches, so that other work can use the database. */
const PAUSE_MS = 5

export type RetentionCounts = Readonly<Record<RetainedKind, number>>

/** Deletes or archives records that are older than the retention policy allows. */
export class Retention extends Context.Service<
  Retention,
  {
    /**
     * Deletes or archives everything that is due now in batches, and returns the numbers by kind. Several processes may
     * run it concurrently. It can be stopped between two batches, and the next run continues.
     */
    readonly pruneDue: Effect.Effect<RetentionCounts>
    /** Returns the numbers of records that `pruneDue` would delete or archive now. */
    readonly countDue: Effect.Effect<RetentionCounts>
  }
>()("@countersign/core/retention/Retention") {
  static readonly layer = Layer.effect(
    Retention,
    Effect.gen(function* () {
      const store = yield* RetentionStore
      const policy = yield* RetentionPolicy
      const rateLimit = yield* RateLimitSettings

      /** Runs `prune` for one kind after another, and collects the numbers. */
      const countsOf = (prune: (kind: RetainedKind, before: DateTime.Utc) => Effect.Effect<number>) =>
        Effect.flatMap(
          DateTime.now,
          (now): Effect.Effect<RetentionCounts> =>
            Effect.all(Record.map(retentionCutoffs(policy, rateLimit, now), (before, kind) => prune(kind, before)))
        )

      const pruneAll = Effect.fnUntraced(function* (kind: RetainedKind, before: DateTime.Utc) {
        let removedCount = 0
        for (;;) {
          const batch = yield* store.prune(kind, before, BATCH_ROWS)
          removedCount += batch
          if (batch < BATCH_ROWS) return removedCount
          yield* Effect.sleep(PAUSE_MS)
        }
      })

      return Retention.of({
        pruneDue: Effect.tap(countsOf(pruneAll), (counts) =>
          Object.values(counts).some((count) => count > 0)
            ? Effect.logInfo("removed or archived expired records", counts)
            : Effect.logDebug("no records have expired")
        ),
        countDue: countsOf(store.count)
      })
    })
  )
}
