import { Effect, Schema } from "effect"
import { BadRequest } from "./BadRequest.ts"
import { fieldProblems } from "./fieldProblems.ts"

/**
 * Creates a validator for the first line of a service method. It returns the request, or fails with all schema
 * violations. So callers of the library can't bypass a bound either. Call this once per schema at the top of the
 * module, because it compiles the schema.
 */
export const requireValid = <A>(request: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(Schema.toType(request), { errors: "all" })
  return (value: A): Effect.Effect<A, BadRequest> =>
    Effect.mapError(decode(value), ({ issue }) => new BadRequest(fieldProblems(issue)))
}
