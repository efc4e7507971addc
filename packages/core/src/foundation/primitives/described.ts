import { Effect, Schema } from "effect"

/** Says in the reference what a field of a request is, in the form in which callers write it. */
export const described =
  (description: string) =>
  <S extends Schema.Top>(schema: S): S["Rebuild"] =>
    Schema.annotateEncoded<S>({ description })(schema)

/** A field that callers may leave out, with the value that it then has, as they would write it. */
export const withDefault = <S extends Schema.Top>(schema: S, value: S["Encoded"], description: string) =>
  Schema.annotateEncoded<Schema.withDecodingDefaultKey<S>>({ description, default: value })(
    Schema.withDecodingDefaultKey<S>(Effect.succeed(value))(schema)
  )
