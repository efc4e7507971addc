import { Context, type DateTime, type Effect } from "effect"

/** A claim of stored work. */
export interface WorkClaim {
  readonly worker: string
  readonly now: DateTime.Utc
  /** The end of the lease. No other worker can claim the work before it; after it this worker counts as dead. */
  readonly leaseUntil: DateTime.Utc
  readonly limit: number
}

/** The claims that workers hold in all stores. */
export class WorkClaims extends Context.Service<
  WorkClaims,
  {
    /** Ends all claims. The only process on a database calls this when it starts: the workers that held the claims are dead. */
    readonly releaseAll: Effect.Effect<void>
  }
>()("@countersign/core/foundation/work/WorkClaims") {}
