import { BadRequest, fieldProblems } from "@countersign/core/foundation/errors"
import { Effect, Schema } from "effect"

/** As the API reads a request: all problems are found, and unknown fields are refused. */
export const decoderOf = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  return (input: unknown): Effect.Effect<A, BadRequest> =>
    Effect.mapError(decode(input), ({ issue }) => new BadRequest(fieldProblems(issue)))
}

/** An answer as the API gives it: plain JSON with the documented fields. */
export const jsonOf = <S extends Schema.Codec<unknown, unknown>>(schema: S) => {
  const encode = Schema.encodeUnknownEffect(schema)
  return (body: unknown): Effect.Effect<S["Encoded"]> => Effect.orDie(encode(body))
}
