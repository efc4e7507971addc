import { Data } from "effect"
import type { Use } from "../../quotes/index.ts"
import type { ReservedExecution } from "../ExecutionStore.ts"

/** Something that an operation under way changes, with the execution of that. */
export class Conflict extends Data.TaggedError("Conflict")<{
  readonly resource: string
  readonly other: Pick<ReservedExecution, "id" | "projectId">
  readonly nonces: ReadonlyArray<bigint>
}> {}

/** The first of these that one under way uses too, where not both share it; null where there is none. */
export const conflictOf = (
  uses: ReadonlyArray<Use>,
  others: ReadonlyArray<ReservedExecution>
): { readonly resource: string; readonly other: ReservedExecution } | null => {
  for (const { isExclusive, resource } of uses) {
    const other = others.find(({ reservation }) =>
      reservation.uses.some((use) => use.resource === resource && (isExclusive || use.isExclusive))
    )
    if (other !== undefined) return { resource, other }
  }
  return null
}
