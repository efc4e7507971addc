import { Context, type DateTime, type Effect } from "effect"

/** A request for stored work. */
export interface WorkClaim {
  readonly worker: string
  readonly now: DateTime.Utc
  /** No other worker may claim the same work before then. Afterwards this worker counts as dead. */
  readonly leaseUntil: DateTime.Utc
  readonly limit: number
}

/** The claims that workers hold, in every store. */
export class WorkClaims extends Context.Service<
  WorkClaims,
  {
    /** Ends every claim. For the start of a process that is alone on its database: the workers that held them are dead. */
    readonly releaseAll: Effect.Effect<void>
  }
>()("@countersign/core/foundation/work/WorkClaims") {}
