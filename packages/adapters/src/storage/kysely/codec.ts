import { BoundedMap } from "@countersign/core/foundation/primitives"
import { DateTime, Schema } from "effect"

/** Validates that a row's values have the core's type; throws otherwise. */
export const checkType = <A>(schema: Schema.Codec<A, unknown>) => Schema.decodeUnknownSync(Schema.toType(schema))

export const millisOf = (at: DateTime.Utc): number => DateTime.toEpochMillis(at)

export const millisOrNull = (at: DateTime.Utc | null): number | null => (at === null ? null : millisOf(at))

export const instantOf = (millis: number): DateTime.Utc => DateTime.makeUnsafe(millis)

export const instantOrNull = (millis: number | null): DateTime.Utc | null =>
  millis === null ? null : instantOf(millis)

/** Maximum number of decoded rows that a decoder caches. */
const MAX_CACHED_ROWS = 2_000

/** Compares two rows. Rows of one query have the same columns. */
const isSameRow = <R extends object>(one: R, other: R): boolean => {
  for (const column in one) if (one[column] !== other[column]) return false
  return true
}

/**
 * Creates a decoder that decodes a row only if it differs from the cached row with the same key, because comparing rows
 * costs far less than decoding one. The database is read each time, so the value is never older than the row.
 */
export const decodeChanged = <R extends object, A>(
  decode: (row: R) => A,
  keyOf: (row: R) => string
): ((row: R) => A) => {
  const cachedRows = new BoundedMap<string, { readonly row: R; readonly value: A }>(MAX_CACHED_ROWS)
  return (row) => {
    const key = keyOf(row)
    const cachedRow = cachedRows.get(key)
    if (cachedRow !== undefined && isSameRow(cachedRow.row, row)) return cachedRow.value
    const value = decode(row)
    cachedRows.set(key, { row, value })
    return value
  }
}

/** A time in Unix milliseconds. */
export const Instant = Schema.DateTimeUtcFromMillis
export const InstantOrNull = Schema.NullOr(Instant)

/** A value as JSON text, in the format of `jsonText`. */
export const Json = <A>(schema: Schema.Codec<A, unknown>) =>
  Schema.fromJsonString(Schema.toCodecJson(Schema.toType(schema)))

type ColumnOf<Field extends string> = Field extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnOf<Rest>}`
  : ""

type Fields = Readonly<Record<string, Schema.Top>>
type Values<F extends Fields> = { readonly [Field in keyof F]: F[Field]["Type"] }
type StoredCodecs<F extends Fields> = { readonly [Field in keyof F]?: Schema.Codec<F[Field]["Type"], unknown> }
type Row<F extends Fields, S> = {
  [Field in keyof F & string as ColumnOf<Field>]: Field extends keyof S
    ? S[Field] extends Schema.Top
      ? S[Field]["Encoded"]
      : never
    : F[Field]["Type"]
}

const columnOf = (field: string): string => field.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)

/**
 * Creates a codec between a record and a row: `projectId` becomes the column `project_id`. `storedCodecs` contains the fields
 * whose columns have another format. `fromRow` throws on a row that `rowOf` can't have written.
 */
export const rowCodec = <F extends Fields, const S extends StoredCodecs<F>>(
  record: Schema.Struct<F>,
  storedCodecs: S
) => {
  const names = Object.keys(record.fields)
  const fields = Object.fromEntries(
    names.map((name) => [name, storedCodecs[name] ?? Schema.toType(record.fields[name]!)])
  )
  const columns = Object.fromEntries(names.map((name) => [name, columnOf(name)]))
  const codec = Schema.Struct(fields).pipe(Schema.encodeKeys(columns))
  return {
    /** Listed explicitly, because a cached Postgres plan for `*` fails after a migration has added a column. */
    columns: Object.values<unknown>(columns) as ReadonlyArray<keyof Row<F, S>>,
    rowOf: Schema.encodeUnknownSync(codec) as (values: Values<F>) => Row<F, S>,
    fromRow: Schema.decodeUnknownSync(codec) as (row: Readonly<Record<keyof Row<F, S>, unknown>>) => Values<F>
  }
}
