import { BadRequest, fieldProblems } from "@countersign/core/errors"
import { Effect, Schema } from "effect"

/** As the API reads a body: every problem is named, and unknown fields are refused. */
export const bodyOf = <S extends Schema.Codec<unknown, unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  return (body: S["Encoded"]): Effect.Effect<S["Type"], BadRequest> =>
    Effect.mapError(decode(body), ({ issue }) => new BadRequest({ problems: fieldProblems(issue) }))
}

type Plain = string | number | boolean

/** Parameters that the API takes from a query string: numbers, booleans, dates and lists may be given as they are. */
export type QueryInput<Fields extends Schema.Struct.Fields> = {
  readonly [Name in keyof Fields]?: Plain | Date | ReadonlyArray<Plain> | undefined
}

const textOf = (value: Plain | Date): string => (value instanceof Date ? value.toISOString() : String(value))

/** As the API reads a query string. */
export const queryOf = <const Fields extends Schema.Struct.Fields>(fields: Fields) => {
  const decode = bodyOf(Schema.Struct(fields) as unknown as Schema.Codec<Schema.Struct<Fields>["Type"], unknown>)
  return (query: QueryInput<Fields> = {}) => {
    const given = Object.entries(query).filter(([, value]) => value !== undefined)
    return decode(
      Object.fromEntries(
        given.map(([name, value]) => [name, Array.isArray(value) ? value.map(textOf) : textOf(value as Plain | Date)])
      )
    )
  }
}

/** An answer as the API gives it: plain JSON with the documented fields. */
export const answerOf = <S extends Schema.Codec<unknown, unknown>>(schema: S) => {
  const encode = Schema.encodeUnknownEffect(schema)
  return (body: unknown): Effect.Effect<S["Encoded"]> => Effect.orDie(encode(body))
}
