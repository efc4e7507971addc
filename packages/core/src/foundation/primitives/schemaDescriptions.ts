import { Effect, Schema } from "effect"

/** Adds a description to a request field in the API reference. */
export const withDescription =
  (description: string) =>
  <S extends Schema.Top>(schema: S): S["Rebuild"] =>
    Schema.annotateEncoded<S>({ description })(schema)

/** Creates an optional request field with a default value in the request format. */
export const withDefault = <S extends Schema.Top>(schema: S, value: S["Encoded"], description: string) =>
  Schema.annotateEncoded<Schema.withDecodingDefaultKey<S>>({ description, default: value })(
    Schema.withDecodingDefaultKey<S>(Effect.succeed(value))(schema)
  )
