import { type FieldError, isFieldError } from "@countersign/core/foundation/errors"
import { Effect } from "effect"

/** Returns the name of the list that contains a list element. */
const listNameOf = (field: string): string => field.replace(/\[\d+\]$/u, "")

/** Replaces the API fields in a request error by the command's flags. */
export const asFlags =
  (flags: Readonly<Record<string, string>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.mapError(effect, (error) =>
      isFieldError(error)
        ? (error.withPaths((field) => flags[field] ?? flags[listNameOf(field)] ?? field) as E & FieldError)
        : error
    )
