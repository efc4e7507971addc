import { BadRequest, fieldProblems } from "@countersign/core/foundation/errors"
import { Effect, Schema } from "effect"

/** Builds the API's request decoder, which reports at most `PROBLEMS_MAX` problems and rejects unknown fields. */
export const decoderOf = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  return (input: unknown): Effect.Effect<A, BadRequest> =>
    Effect.mapError(decode(input), ({ issue }) => new BadRequest(fieldProblems(issue)))
}

/** Builds the encoder of a response to the API's format: plain JSON with the documented fields. */
export const encoderOf = <S extends Schema.Codec<unknown, unknown>>(schema: S) => {
  const encode = Schema.encodeUnknownEffect(schema)
  return (body: unknown): Effect.Effect<S["Encoded"]> => Effect.orDie(encode(body))
}
