import { Schema } from "effect"

/** Serializes a value as JSON text and parses it. */
export interface JsonText<A> {
  readonly encode: (value: A) => string
  /** Throws on text that `encode` did not write. */
  readonly decode: (text: string) => A
}

/** A lossless JSON codec: a bigint becomes a decimal string, and an instant ISO 8601. */
export const jsonText = <A>(schema: Schema.Codec<A, unknown>): JsonText<A> => {
  const codec = Schema.toCodecJson(Schema.toType(schema))
  const encode = Schema.encodeSync(codec)
  return {
    // `fromJsonString` gives the same text and takes three times as long to encode.
    encode: (value) => JSON.stringify(encode(value)),
    decode: Schema.decodeSync(Schema.fromJsonString(codec))
  }
}
