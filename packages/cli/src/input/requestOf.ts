import { BadRequest, fieldProblems } from "@countersign/core/errors"
import { Effect, Schema } from "effect"

/** Answers a function that makes a request of what was given; it refuses as the service does. */
export const requestOf = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all" })
  return (input: unknown): Effect.Effect<A, BadRequest> =>
    Effect.mapError(decode(input), ({ issue }) => new BadRequest({ problems: fieldProblems(issue) }))
}
