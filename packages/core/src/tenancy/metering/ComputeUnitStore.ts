import { Context, type Effect } from "effect"
import type { ProjectId } from "../projects/index.ts"

/** The remaining compute units of projects, shared by all processes. */
export class ComputeUnitStore extends Context.Service<
  ComputeUnitStore,
  {
    /** Null for a project without a budget, and for an unknown project. */
    readonly remaining: (id: ProjectId) => Effect.Effect<number | null>
    /**
     * Subtracts units from the budget atomically. Returns false and subtracts nothing if the budget is too low. Always
     * true for a project without a budget.
     */
    readonly take: (id: ProjectId, units: number) => Effect.Effect<boolean>
    /** Returns units to the budget. No effect on a project without a budget. */
    readonly giveBack: (id: ProjectId, units: number) => Effect.Effect<void>
  }
>()("@countersign/core/metering/ComputeUnitStore") {}
