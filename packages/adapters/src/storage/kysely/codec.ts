import { DateTime, Schema } from "effect"

/** Takes a row's values for what the core says they are, or throws. */
export const checkType = <A>(schema: Schema.Codec<A, unknown>) => Schema.decodeUnknownSync(Schema.toType(schema))

export const millisOf = (at: DateTime.Utc): number => DateTime.toEpochMillis(at)

export const millisOrNull = (at: DateTime.Utc | null): number | null => (at === null ? null : millisOf(at))

export const instantOf = (millis: number): DateTime.Utc => DateTime.makeUnsafe(millis)

export const instantOrNull = (millis: number | null): DateTime.Utc | null =>
  millis === null ? null : instantOf(millis)

/** The milliseconds of an instant. */
export const Instant = Schema.DateTimeUtcFromMillis
export const InstantOrNull = Schema.NullOr(Instant)

/** A value as JSON text, as `jsonText` writes it. */
export const Json = <A>(schema: Schema.Codec<A, unknown>) =>
  Schema.fromJsonString(Schema.toCodecJson(Schema.toType(schema)))

type ColumnOf<Field extends string> = Field extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnOf<Rest>}`
  : ""

type Fields = Readonly<Record<string, Schema.Top>>
type Values<F extends Fields> = { readonly [Field in keyof F]: F[Field]["Type"] }
type Stored<F extends Fields> = { readonly [Field in keyof F]?: Schema.Codec<F[Field]["Type"], unknown> }
type Row<F extends Fields, S> = {
  [Field in keyof F & string as ColumnOf<Field>]: Field extends keyof S
    ? S[Field] extends Schema.Top
      ? S[Field]["Encoded"]
      : never
    : F[Field]["Type"]
}

const columnOf = (field: string): string => field.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)

/**
 * A record as a row and back: `projectId` is in the column `project_id`. `stored` has the fields that a column has in
 * another form. `ofRow` throws on a row that `rowOf` can't have made.
 */
export const rowCodec = <F extends Fields, const S extends Stored<F>>(record: Schema.Struct<F>, stored: S) => {
  const names = Object.keys(record.fields)
  const fields = Object.fromEntries(names.map((name) => [name, stored[name] ?? Schema.toType(record.fields[name]!)]))
  const columns = Object.fromEntries(names.map((name) => [name, columnOf(name)]))
  const codec = Schema.Struct(fields).pipe(Schema.encodeKeys(columns)) as unknown as Schema.Codec<Values<F>, Row<F, S>>
  return {
    /** Named one by one: a plan that Postgres keeps for `*` fails once a migration has added a column. */
    columns: Object.values(columns) as unknown as ReadonlyArray<keyof Row<F, S>>,
    rowOf: Schema.encodeSync(codec),
    ofRow: Schema.decodeUnknownSync(codec) as (row: Readonly<Record<keyof Row<F, S>, unknown>>) => Values<F>
  }
}
