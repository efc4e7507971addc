import { Context, type Effect } from "effect"
import type { ProjectId } from "../projects/index.ts"

/** Stores the remaining compute units of projects. All processes share it. */
export class ComputeUnitStore extends Context.Service<
  ComputeUnitStore,
  {
    /** Returns the remaining units. Null for a project without a budget, and for an unknown project. */
    readonly readRemaining: (id: ProjectId) => Effect.Effect<number | null>
    /**
     * Subtracts units from the budget atomically. Returns false and subtracts nothing if the budget is too low. Always
     * returns true for a project without a budget.
     */
    readonly deduct: (id: ProjectId, units: number) => Effect.Effect<boolean>
    /** Returns units to the budget. Does nothing for a project without a budget. */
    readonly refund: (id: ProjectId, units: number) => Effect.Effect<void>
  }
>()("@countersign/core/metering/ComputeUnitStore") {}
