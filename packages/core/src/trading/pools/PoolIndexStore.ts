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
  /** Null restarts the index: all counts are removed. */
  readonly progress: IndexProgress | null
  /** Added permanently to the counts of each hour. */
  readonly counted: ReadonlyArray<PoolHour>
  /** Replaces the counts of blocks that may still change; null keeps them. */
  readonly recent: ReadonlyArray<PoolHour> | null
  readonly dueAt: DateTime.Utc
}

/** Stores the indexed pools, their progress and counts. Shared by all processes. */
export class PoolIndexStore extends Context.Service<
  PoolIndexStore,
  {
    /**
     * Starts to index the pool, or records the request of an indexed one. Beyond the maximum number, the least recently
     * requested pools are removed with their counts.
     */
    readonly follow: (pool: PoolRef, now: DateTime.Utc, most: number) => Effect.Effect<void>
    /** Claims the pool that has been due longest, until a deadline. */
    readonly claim: (now: DateTime.Utc, until: DateTime.Utc) => Effect.Effect<Option.Option<IndexedPool>>
    /** Stores a step and releases the pool. Returns false and stores nothing if another worker has claimed it since. */
    readonly store: (claimed: IndexedPool, step: IndexStep) => Effect.Effect<boolean>
    readonly find: (place: PoolPlace) => Effect.Effect<Option.Option<IndexedPool>>
    /**
     * The counts from an hour on, in order; hours without events are omitted. An hour may have two parts: final counts,
     * and those of recent blocks.
     */
    readonly hours: (place: PoolPlace, fromHour: number) => Effect.Effect<ReadonlyArray<PoolHour>>
    /** All indexed pools, most recently requested first. */
    readonly list: Effect.Effect<ReadonlyArray<IndexedPool>>
  }
>()("@countersign/core/pools/PoolIndexStore") {}
