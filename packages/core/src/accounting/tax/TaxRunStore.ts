import { Context, type DateTime, type Effect } from "effect"
import type { WorkClaim } from "../../foundation/work/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { TaxRun, TaxSchedule } from "./TaxSchedule.ts"

export interface ClaimedRun {
  readonly run: TaxRun
  readonly schedule: TaxSchedule
}

/** The pending and failed runs of all projects. */
export interface RunBacklog {
  /** Number of runs that are due now. */
  readonly due: number
  /** The earliest due time. Null if no run is due. */
  readonly oldestDueAt: DateTime.Utc | null
  /** Runs that wait for a retry, followed by runs that have failed permanently. At most `TROUBLED_RUNS_MAX` of each. */
  readonly troubled: ReadonlyArray<TaxRun>
}

export const TROUBLED_RUNS_MAX = 20

/** Stores the monthly runs of schedules. All processes share it. */
export class TaxRunStore extends Context.Service<
  TaxRunStore,
  {
    /** Claims due runs, the longest overdue first. */
    readonly claim: (claim: WorkClaim) => Effect.Effect<ReadonlyArray<ClaimedRun>>
    /**
     * Stores a run after an attempt, and ends the claim. Returns false and stores nothing if the worker no longer has
     * the claim.
     */
    readonly record: (run: TaxRun, worker: string) => Effect.Effect<boolean>
    /** Ends a claim without an attempt. */
    readonly release: (projectId: ProjectId, id: string, worker: string) => Effect.Effect<void>
    /** Returns the runs of a schedule, latest month first. */
    readonly list: (projectId: ProjectId, scheduleId: string, limit: number) => Effect.Effect<ReadonlyArray<TaxRun>>
    readonly readBacklog: (now: DateTime.Utc) => Effect.Effect<RunBacklog>
  }
>()("@countersign/core/tax/TaxRunStore") {}
