import { Data } from "effect"
import type { Use } from "../../quotes/index.ts"
import type { ReservedExecution } from "../ExecutionStore.ts"

/** A resource that a pending operation changes, and the execution of that operation. */
export class Conflict extends Data.TaggedError("Conflict")<{
  readonly resource: string
  readonly other: Pick<ReservedExecution, "id" | "projectId">
  readonly nonces: ReadonlyArray<bigint>
}> {}

/**
 * Returns the first of these uses that conflicts with a pending use. Null if there is none. Two shared uses do not
 * conflict.
 */
export const conflictOf = (
  uses: ReadonlyArray<Use>,
  others: ReadonlyArray<ReservedExecution>
): { readonly resource: string; readonly other: ReservedExecution } | null => {
  for (const { isExclusive, resource } of uses) {
    const conflictingReservation = others.find(({ reservation }) =>
      reservation.uses.some((use) => use.resource === resource && (isExclusive || use.isExclusive))
    )
    if (conflictingReservation !== undefined) return { resource, other: conflictingReservation }
  }
  return null
}
