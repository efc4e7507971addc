import { Context, type DateTime, type Effect, type Option } from "effect"
import type { IndexProgress } from "./IndexProgress.ts"
import type { PoolHour } from "./PoolActivity.ts"
import type { PoolAddress, PoolRef } from "./PoolRef.ts"

export interface IndexedPool {
  readonly pool: PoolRef
  /** Null until the first progress is stored. */
  readonly progress: IndexProgress | null
  /** The time of the last request for the pool. */
  readonly askedAt: DateTime.Utc
  /** Changes with each claim. */
  readonly version: number
}

/** The results of an indexing step, which are stored atomically. */
export interface IndexStep {
  /** Null restarts the index and deletes all counts. */
  readonly progress: IndexProgress | null
  /** Final counts that are added to their hours. */
  readonly counted: ReadonlyArray<PoolHour>
  /** Replaces the counts of recent blocks, which may still change. Null keeps the stored counts. */
  readonly recent: ReadonlyArray<PoolHour> | null
  readonly dueAt: DateTime.Utc
}

/** Stores the indexed pools with their progress and counts. All processes share it. */
export class PoolIndexStore extends Context.Service<
  PoolIndexStore,
  {
    /**
     * Starts to index the pool, or records another request for it. If there are more than `maxPools`, deletes the least
     * recently requested pools and their counts.
     */
    readonly recordRequest: (pool: PoolRef, now: DateTime.Utc, maxPools: number) => Effect.Effect<void>
    /** Claims the pool that is the longest overdue, until a deadline. */
    readonly claim: (now: DateTime.Utc, until: DateTime.Utc) => Effect.Effect<Option.Option<IndexedPool>>
    /**
     * Stores a step and releases the pool. Returns false and stores nothing if another worker has claimed the pool in
     * the meantime.
     */
    readonly store: (claimedPool: IndexedPool, step: IndexStep) => Effect.Effect<boolean>
    readonly find: (poolAddress: PoolAddress) => Effect.Effect<Option.Option<IndexedPool>>
    /**
     * Returns the counts since an hour, in chronological order. Omits hours without events. An hour may occur twice:
     * once with the final counts, and once with the counts of recent blocks.
     */
    readonly listHours: (poolAddress: PoolAddress, fromHour: number) => Effect.Effect<ReadonlyArray<PoolHour>>
    /** Returns all indexed pools, most recently requested first. */
    readonly list: Effect.Effect<ReadonlyArray<IndexedPool>>
  }
>()("@countersign/core/pools/PoolIndexStore") {}
