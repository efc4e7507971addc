export type Dialect = "sqlite" | "postgres"

/** The column types of an engine. */
export interface ColumnTypes {
  /** Compared byte by byte in both engines, in every locale of a Postgres database. */
  readonly text: string
  /** 64 bits. */
  readonly integer: string
}

/** The text of a record without escapes: Postgres rejects JSON with an escaped NUL or a lone surrogate. */
export const withoutEscapes = (record: string): string =>
  String.raw`regexp_replace(${record}, '(?<!\\)((?:\\\\)*)\\u[0-9a-fA-F]{4}', '\1?', 'g')`

/** A change of many transactions' rows, which runs once per page. */
export interface PagedChange {
  /** A statement on the transactions of a page, a query of their `project_id` and `id`. Idempotent. */
  readonly statement: (dialect: Dialect, page: string) => string
  /** What the result counts. */
  readonly counted: string
}

/** A schema change, forward only. It never changes after its release: the next one corrects a mistake. */
export type Migration = {
  /** Four digits and a description; migrations run in the order of their names. */
  readonly name: string
} & (
  | { readonly statements: (types: ColumnTypes, dialect: Dialect) => ReadonlyArray<string> }
  | { readonly paged: PagedChange }
)

export const columnTypes: Record<Dialect, ColumnTypes> = {
  sqlite: { text: "text", integer: "integer" },
  postgres: { text: 'text collate "C"', integer: "bigint" }
}

/** New tables with their columns and keys, which determine the row types. */
export interface NewTables {
  readonly tables: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly indices: ReadonlyArray<string>
}

export const statementsOf = ({ indices, tables }: NewTables, types: ColumnTypes): ReadonlyArray<string> => {
  const line = ([column, type]: readonly [string, string]) =>
    `${column} ${type.replace(/^(?:text|integer)\b/u, (name) => types[name as keyof ColumnTypes])}`
  const created = Object.entries(tables).map(
    ([table, lines]) => `create table ${table} (${Object.entries(lines).map(line).join(", ")})`
  )
  return [...created, ...indices]
}

type Nullable<Rest extends string> = Rest extends `${string}not null${string}` | `${string}primary key${string}`
  ? never
  : null

type Column<Type> = Type extends `text${infer Rest}`
  ? string | Nullable<Rest>
  : Type extends `integer${infer Rest}`
    ? number | Nullable<Rest>
    : never

/** The rows of new tables. A line whose name has a space is a key and not a column. */
export type RowsOf<New extends NewTables> = {
  readonly [Table in keyof New["tables"]]: {
    -readonly [Line in keyof New["tables"][Table] as Line extends `${string} ${string}` ? never : Line]: Column<
      New["tables"][Table][Line]
    >
  }
}
