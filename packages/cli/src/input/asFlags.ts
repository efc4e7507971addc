import { type FieldError, isFieldError } from "@countersign/core/foundation/errors"
import { Effect } from "effect"

/** The list field that contains a list item. */
const listOf = (field: string): string => field.replace(/\[\d+\]$/u, "")

/** Renames the fields of a rejected request to the flags of the command. */
export const asFlags =
  (flags: Readonly<Record<string, string>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.mapError(effect, (error) =>
      isFieldError(error)
        ? (error.withPaths((field) => flags[field] ?? flags[listOf(field)] ?? field) as E & FieldError)
        : error
    )
