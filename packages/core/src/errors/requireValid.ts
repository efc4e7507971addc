import { Effect, Schema } from "effect"
import { BadRequest } from "./BadRequest.ts"
import { fieldProblems } from "./fieldProblems.ts"

/**
 * Makes the first line of a service: it answers the request, or fails with every bound of the schema that the request
 * breaks, whichever shell or library call it came from. Make it once for each schema, outside of the service, because
 * that compiles the schema.
 */
export const requireValid = <A>(request: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(Schema.toType(request), { errors: "all" })
  return (value: A): Effect.Effect<A, BadRequest> =>
    Effect.mapError(decode(value), ({ issue }) => {
      const [first, ...others] = fieldProblems(issue)
      return first === undefined
        ? BadRequest.of("", "invalid", "This request is malformed.")
        : new BadRequest({ problems: [first, ...others] })
    })
}
