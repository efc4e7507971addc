import { Context, type DateTime, type Effect } from "effect"
import type { WalletAddress } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { TaxRun, TaxSchedule } from "./TaxSchedule.ts"

/** The schedules of tax exports. */
export class TaxScheduleStore extends Context.Service<
  TaxScheduleStore,
  {
    /** False, and nothing stored, where the wallet has one of the same preset. */
    readonly insert: (schedule: TaxSchedule) => Effect.Effect<boolean>
    readonly list: (projectId: ProjectId, walletAddress: WalletAddress) => Effect.Effect<ReadonlyArray<TaxSchedule>>
    /** Those that are made for an individual. */
    readonly ofIndividual: (projectId: ProjectId, individualId: string) => Effect.Effect<ReadonlyArray<TaxSchedule>>
    /** Removes a wallet's schedules with their runs, of which those that wait never begin. False where there was none. */
    readonly remove: (projectId: ProjectId, walletAddress: WalletAddress) => Effect.Effect<boolean>
    /** Makes e-mail addresses that are kept for an individual unreadable, in backups too: their schedules are as if removed. */
    readonly forget: (projectId: ProjectId, individualId: string) => Effect.Effect<void>
    /** Those with a month that ended before or at this instant and has no run yet, longest first. */
    readonly due: (endedBy: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<TaxSchedule>>
    /**
     * Stores the run of a schedule's next month, and when the month after it ends. False, and nothing stored, where another
     * process did, or the schedule is gone.
     */
    readonly open: (schedule: TaxSchedule, run: TaxRun, nextEndAt: DateTime.Utc) => Effect.Effect<boolean>
  }
>()("@countersign/core/tax/TaxScheduleStore") {}
