import { Context, type DateTime, type Effect } from "effect"
import type { WalletAddress } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { TaxRun, TaxSchedule } from "./TaxSchedule.ts"

/** Stores the schedules of tax exports. */
export class TaxScheduleStore extends Context.Service<
  TaxScheduleStore,
  {
    /**
     * Stores a schedule. Returns false and stores nothing if the wallet already has a schedule with the same preset.
     */
    readonly insert: (schedule: TaxSchedule) => Effect.Effect<boolean>
    readonly list: (projectId: ProjectId, walletAddress: WalletAddress) => Effect.Effect<ReadonlyArray<TaxSchedule>>
    /** Returns the schedules of an individual. */
    readonly listByIndividual: (projectId: ProjectId, individualId: string) => Effect.Effect<ReadonlyArray<TaxSchedule>>
    /** Deletes a wallet's schedules and runs. Pending runs do not start. Returns false if there is no schedule. */
    readonly remove: (projectId: ProjectId, walletAddress: WalletAddress) => Effect.Effect<boolean>
    /**
     * Makes the stored email addresses of an individual unreadable, also in backups. The individual's schedules then
     * count as removed.
     */
    readonly erase: (projectId: ProjectId, individualId: string) => Effect.Effect<void>
    /**
     * Returns schedules with a month that ended at or before this time and has no run yet, the longest overdue first.
     */
    readonly listDue: (endedBy: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<TaxSchedule>>
    /**
     * Stores the run of a schedule's next month, and sets the schedule's `nextEndAt`. Returns false and stores nothing
     * if another process has stored the run, or if the schedule was removed.
     */
    readonly openRun: (schedule: TaxSchedule, run: TaxRun, nextEndAt: DateTime.Utc) => Effect.Effect<boolean>
  }
>()("@countersign/core/tax/TaxScheduleStore") {}
