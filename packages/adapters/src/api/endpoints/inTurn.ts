import { ProjectScheduler } from "@countersign/core/foundation/turns"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { Effect } from "effect"

/** Runs a call when it is the project's turn, or immediately if the call has no load. */
export const inTurn = <A, E, R>(project: ProjectId, load: number, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(ProjectScheduler, (turns) => (load === 0 ? effect : turns.run(project, load, effect)))
