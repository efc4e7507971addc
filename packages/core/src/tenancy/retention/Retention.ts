import { Context, DateTime, Effect, Layer, Record } from "effect"
import { RateLimitSettings } from "../metering/index.ts"
import { cutoffs, type RetainedKind, RetentionPolicy } from "./RetentionPolicy.ts"
import { RetentionStore } from "./RetentionStore.ts"

/**
 * Rows that one statement removes. It is small because the statement locks the rows, and blocks the process on SQLite,
 * for milliseconds.
 */
export const BATCH_ROWS = 100
/** Pause between two batches, so that other work can use the database. */
const PAUSE_MS = 5

export type RetentionCounts = Readonly<Record<RetainedKind, number>>

/** Removes or archives what is older than the retention policy allows. */
export class Retention extends Context.Service<
  Retention,
  {
    /**
     * Removes everything that is due now in batches, and returns the numbers by kind. It can run in several processes
     * concurrently, and can be stopped between two batches: the next run continues.
     */
    readonly pruneDue: Effect.Effect<RetentionCounts>
    /** The numbers of records that `pruneDue` would remove now. */
    readonly countDue: Effect.Effect<RetentionCounts>
  }
>()("@countersign/core/retention/Retention") {
  static readonly layer = Layer.effect(
    Retention,
    Effect.gen(function* () {
      const store = yield* RetentionStore
      const policy = yield* RetentionPolicy
      const rateLimit = yield* RateLimitSettings

      /** Runs for one kind after another. */
      const countsOf = (prune: (kind: RetainedKind, before: DateTime.Utc) => Effect.Effect<number>) =>
        Effect.flatMap(
          DateTime.now,
          (now): Effect.Effect<RetentionCounts> =>
            Effect.all(Record.map(cutoffs(policy, rateLimit, now), (before, kind) => prune(kind, before)))
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
