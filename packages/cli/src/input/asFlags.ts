import { type FieldError, isFieldError } from "@countersign/core/foundation/errors"
import { Effect } from "effect"

/** The list that an item of it is in. */
const listOf = (field: string): string => field.replace(/\[\d+\]$/u, "")

/** Names the fields of a request that is refused as the flags of the command that made it. */
export const asFlags =
  (flags: Readonly<Record<string, string>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.mapError(effect, (error) =>
      isFieldError(error)
        ? (error.withPaths((field) => flags[field] ?? flags[listOf(field)] ?? field) as E & FieldError)
        : error
    )
