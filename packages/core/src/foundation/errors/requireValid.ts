import { Effect, Schema } from "effect"
import { BadRequest } from "./BadRequest.ts"
import { fieldProblems } from "./fieldProblems.ts"

/**
 * Creates a validator for the first line of a service method. The validator returns the request, or fails with the
 * schema violations, of which at most `PROBLEMS_MAX` are listed. Callers of the library can't bypass it. Call this
 * function once per schema at the top of a module, because it compiles the schema.
 */
export const requireValid = <A>(request: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(Schema.toType(request), { errors: "all" })
  return (value: unknown): Effect.Effect<A, BadRequest> =>
    Effect.mapError(decode(value), ({ issue }) => new BadRequest(fieldProblems(issue)))
}
