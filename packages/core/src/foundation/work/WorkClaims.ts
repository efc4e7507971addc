import { Context, type DateTime, type Effect } from "effect"

/** A claim of stored work. */
export interface WorkClaim {
  readonly worker: string
  readonly now: DateTime.Utc
  /** The end of the lease. Before it, no other worker can claim the work. After it, this worker is treated as dead. */
  readonly leaseUntil: DateTime.Utc
  readonly limit: number
}

/** All workers' claims in all stores. */
export class WorkClaims extends Context.Service<
  WorkClaims,
  {
    /**
     * Ends all claims. A process that is the only one on its database calls this at its start, because the previous
     * workers are dead.
     */
    readonly releaseAll: Effect.Effect<void>
  }
>()("@countersign/core/foundation/work/WorkClaims") {}
