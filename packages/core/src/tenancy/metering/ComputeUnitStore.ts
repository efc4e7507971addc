import { Context, type Effect } from "effect"
import type { ProjectId } from "../projects/index.ts"

/** The compute units that a project has left, as all processes see them. */
export class ComputeUnitStore extends Context.Service<
  ComputeUnitStore,
  {
    /** Null for a project without a budget, and where there is no such project. */
    readonly remaining: (id: ProjectId) => Effect.Effect<number | null>
    /**
     * Takes units off the budget in one step; false, and nothing taken, when fewer are left. Always true for a project
     * without a budget.
     */
    readonly take: (id: ProjectId, units: number) => Effect.Effect<boolean>
    /** Puts units back. No effect on a project without a budget. */
    readonly giveBack: (id: ProjectId, units: number) => Effect.Effect<void>
  }
>()("@countersign/core/metering/ComputeUnitStore") {}
