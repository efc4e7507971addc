import { Context, type DateTime, type Effect } from "effect"

/** A claim of stored work. */
export interface WorkClaim {
  readonly worker: string
  readonly now: DateTime.Utc
  /** The end of the lease. No other worker can claim the work before it. After it, this worker counts as dead. */
  readonly leaseUntil: DateTime.Utc
  readonly limit: number
}

/** The claims of workers in all stores. */
export class WorkClaims extends Context.Service<
  WorkClaims,
  {
    /**
     * Ends all claims. The only process on a database calls this at its start: the workers that had the claims are
     * dead.
     */
    readonly releaseAll: Effect.Effect<void>
  }
>()("@countersign/core/foundation/work/WorkClaims") {}
