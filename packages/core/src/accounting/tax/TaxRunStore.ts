import { Context, type DateTime, type Effect } from "effect"
import type { WorkClaim } from "../../foundation/work/index.ts"
import type { TaxRun, TaxSchedule } from "./TaxSchedule.ts"

export interface ClaimedRun {
  readonly run: TaxRun
  readonly schedule: TaxSchedule
}

/** The runs of all projects that wait, and those that are in trouble. */
export interface RunBacklog {
  /** Runs to be attempted now. */
  readonly due: number
  /** Since when the oldest of them is due; null when none is. */
  readonly oldestDueAt: DateTime.Utc | null
  /** First those that failed and are tried again, then those that failed for good; `TROUBLED_RUNS_MAX` of each at most. */
  readonly troubled: ReadonlyArray<TaxRun>
}

export const TROUBLED_RUNS_MAX = 20

/** The exports of schedules, one for each month. Shared by all processes. */
export class TaxRunStore extends Context.Service<
  TaxRunStore,
  {
    /** Those that are due, longest first. */
    readonly claim: (claim: WorkClaim) => Effect.Effect<ReadonlyArray<ClaimedRun>>
    /** Stores a run after an attempt and ends the claim. False, and nothing stored, where the worker has lost it. */
    readonly record: (run: TaxRun, worker: string) => Effect.Effect<boolean>
    /** Ends a claim without an attempt. */
    readonly release: (id: string, worker: string) => Effect.Effect<void>
    /** The runs of a schedule, the latest month first. */
    readonly list: (scheduleId: string, limit: number) => Effect.Effect<ReadonlyArray<TaxRun>>
    readonly backlog: (now: DateTime.Utc) => Effect.Effect<RunBacklog>
  }
>()("@countersign/core/tax/TaxRunStore") {}
