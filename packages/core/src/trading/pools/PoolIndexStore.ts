import { Context, type DateTime, type Effect, type Option } from "effect"
import type { IndexProgress } from "./IndexProgress.ts"
import type { PoolHour } from "./PoolActivity.ts"
import type { PoolPlace, PoolRef } from "./PoolRef.ts"

export interface IndexedPool {
  readonly pool: PoolRef
  /** Null before the first step. */
  readonly progress: IndexProgress | null
  /** When the pool was last asked for. */
  readonly askedAt: DateTime.Utc
  /** Another one with each claim. */
  readonly version: number
}

/** The findings of a step, stored whole or not at all. */
export interface IndexStep {
  /** Null begins the index anew: everything that was counted is removed. */
  readonly progress: IndexProgress | null
  /** Added for good to what was counted of each hour. */
  readonly counted: ReadonlyArray<PoolHour>
  /** In place of all that was there of blocks that may still change; null leaves it as it is. */
  readonly recent: ReadonlyArray<PoolHour> | null
  readonly dueAt: DateTime.Utc
}

/** The pools that are indexed, how far, and what was counted. Shared by all processes. */
export class PoolIndexStore extends Context.Service<
  PoolIndexStore,
  {
    /**
     * Indexes the pool from now on, or goes on with it as one that was asked for now. At most so many pools are kept:
     * those that were asked for least lately are removed with all that was counted of them.
     */
    readonly follow: (pool: PoolRef, now: DateTime.Utc, most: number) => Effect.Effect<void>
    /** Takes the pool that has been due for longest and that is not worked on, until a time after which others may. */
    readonly claim: (now: DateTime.Utc, until: DateTime.Utc) => Effect.Effect<Option.Option<IndexedPool>>
    /** Stores a step and gives the pool back. False, and nothing stored, where another worker has claimed it since. */
    readonly store: (claimed: IndexedPool, step: IndexStep) => Effect.Effect<boolean>
    readonly find: (place: PoolPlace) => Effect.Effect<Option.Option<IndexedPool>>
    /**
     * The counts from an hour on, in the order of the hours; those without events are left out. An hour may come in two
     * parts: what counts for good, and what is of recent blocks.
     */
    readonly hours: (place: PoolPlace, fromHour: number) => Effect.Effect<ReadonlyArray<PoolHour>>
    /** Every pool that is indexed, those that were asked for lately first. */
    readonly list: Effect.Effect<ReadonlyArray<IndexedPool>>
  }
>()("@countersign/core/pools/PoolIndexStore") {}
