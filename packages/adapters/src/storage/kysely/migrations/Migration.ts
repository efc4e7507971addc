export type Dialect = "sqlite" | "postgres"

/** Column types of an engine. */
export interface ColumnTypes {
  /** Text that is compared byte by byte in both engines, regardless of the locale of a Postgres database. */
  readonly text: string
  /** 64-bit integer. */
  readonly integer: string
}

/** Returns the text of a record without escapes. Postgres rejects JSON with an escaped NUL or a lone surrogate. */
export const withoutEscapes = (record: string): string =>
  String.raw`regexp_replace(${record}, '(?<!\\)((?:\\\\)*)\\u[0-9a-fA-F]{4}', '\1?', 'g')`

/** A change of the rows of many transactions, which runs page by page. */
export interface PagedChange {
  /**
   * Builds the idempotent statement for the transactions of a page. `page` is a query of their `project_id` and `id`.
   */
  readonly statement: (dialect: Dialect, page: string) => string
  /** Describes the number of changed rows in the result. */
  readonly countLabel: string
}

/**
 * A schema change without a reverse change. It never changes after its release: a later migration corrects a mistake.
 */
export type Migration = {
  /** Four digits and a description. Migrations run in the order of their names. */
  readonly name: string
} & (
  | { readonly statements: (types: ColumnTypes, dialect: Dialect) => ReadonlyArray<string> }
  | { readonly paged: PagedChange }
)

export const columnTypes: Record<Dialect, ColumnTypes> = {
  sqlite: { text: "text", integer: "integer" },
  postgres: { text: 'text collate "C"', integer: "bigint" }
}

/** New tables with their columns and keys, from which the row types are derived. */
export interface NewTables {
  readonly tables: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly indices: ReadonlyArray<string>
}

export const statementsOf = ({ indices, tables }: NewTables, types: ColumnTypes): ReadonlyArray<string> => {
  const line = ([column, type]: readonly [string, string]) =>
    `${column} ${type.replace(/^(?:text|integer)\b/u, (name) => types[name as keyof ColumnTypes])}`
  const createStatements = Object.entries(tables).map(
    ([table, lines]) => `create table ${table} (${Object.entries(lines).map(line).join(", ")})`
  )
  return [...createStatements, ...indices]
}

type Nullable<Rest extends string> = Rest extends `${string}not null${string}` | `${string}primary key${string}`
  ? never
  : null

type Column<Type> = Type extends `text${infer Rest}`
  ? string | Nullable<Rest>
  : Type extends `integer${infer Rest}`
    ? number | Nullable<Rest>
    : never

/** Row types of new tables. A line whose name contains a space is a key, not a column. */
export type RowsOf<New extends NewTables> = {
  readonly [Table in keyof New["tables"]]: {
    -readonly [Line in keyof New["tables"][Table] as Line extends `${string} ${string}` ? never : Line]: Column<
      New["tables"][Table][Line]
    >
  }
}
