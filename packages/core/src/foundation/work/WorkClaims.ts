import { Context, type DateTime, type Effect } from "effect"

/** A claim on stored work. */
export interface WorkClaim {
  readonly worker: string
  readonly now: DateTime.Utc
  /** End of the claim. Until then, no other worker can claim the work. Afterwards, this worker is considered dead. */
  readonly leaseUntil: DateTime.Utc
  readonly limit: number
}

/** The claims of all workers, in all stores. */
export class WorkClaims extends Context.Service<
  WorkClaims,
  {
    /**
     * Ends all claims. A process that is the only one on its database calls this at startup, because the previous
     * workers are dead.
     */
    readonly releaseAll: Effect.Effect<void>
  }
>()("@countersign/core/foundation/work/WorkClaims") {}
