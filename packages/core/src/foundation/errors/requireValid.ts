import { Effect, Schema } from "effect"
import { BadRequest } from "./BadRequest.ts"
import { fieldProblems } from "./fieldProblems.ts"

/**
 * Answers a function for the first line of a service method: it answers the request, or fails with all the ways in which
 * the request breaks its schema, so that no shell or library call can pass a bound by. Call this once for each schema,
 * at the top of the module, because it compiles the schema.
 */
export const requireValid = <A>(request: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(Schema.toType(request), { errors: "all" })
  return (value: A): Effect.Effect<A, BadRequest> =>
    Effect.mapError(decode(value), ({ issue }) => new BadRequest(fieldProblems(issue)))
}
