import { Context, type DateTime, type Effect, type Option } from "effect"
import type { IndexProgress } from "./IndexProgress.ts"
import type { PoolHour } from "./PoolActivity.ts"
import type { PoolPlace, PoolRef } from "./PoolRef.ts"

export interface IndexedPool {
  readonly pool: PoolRef
  /** Null before the first step. */
  readonly progress: IndexProgress | null
  /** When the pool was last requested. */
  readonly askedAt: DateTime.Utc
  /** Changes with each claim. */
  readonly version: number
}

/** The results of a step, stored atomically. */
export interface IndexStep {
  /** Null restarts the index, and removes all counts. */
  readonly progress: IndexProgress | null
  /** Counts that are added permanently to their hours. */
  readonly counted: ReadonlyArray<PoolHour>
  /** Replaces the counts of blocks that may still change. Null keeps these counts. */
  readonly recent: ReadonlyArray<PoolHour> | null
  readonly dueAt: DateTime.Utc
}

/** Stores the indexed pools, with their progress and counts. All processes share it. */
export class PoolIndexStore extends Context.Service<
  PoolIndexStore,
  {
    /**
     * Starts to index the pool, or records another request for it. Above the maximum number of pools, removes the least
     * recently requested pools and their counts.
     */
    readonly follow: (pool: PoolRef, now: DateTime.Utc, maxPools: number) => Effect.Effect<void>
    /** Claims the pool that has been due longest, until a deadline. */
    readonly claim: (now: DateTime.Utc, until: DateTime.Utc) => Effect.Effect<Option.Option<IndexedPool>>
    /** Stores a step and releases the pool. Returns false and stores nothing if another worker has the claim. */
    readonly store: (claimed: IndexedPool, step: IndexStep) => Effect.Effect<boolean>
    readonly find: (place: PoolPlace) => Effect.Effect<Option.Option<IndexedPool>>
    /**
     * The counts from an hour on, in order. Hours without events are omitted. An hour may have two parts: the final
     * counts, and the counts of recent blocks.
     */
    readonly hours: (place: PoolPlace, fromHour: number) => Effect.Effect<ReadonlyArray<PoolHour>>
    /** All indexed pools, most recently requested first. */
    readonly list: Effect.Effect<ReadonlyArray<IndexedPool>>
  }
>()("@countersign/core/pools/PoolIndexStore") {}
