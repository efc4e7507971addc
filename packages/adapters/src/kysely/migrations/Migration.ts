import type { Dialect } from "../dialect.ts"

/** The column types of an engine. */
export interface ColumnTypes {
  /** Compared byte by byte on both engines, in every locale of a Postgres database. */
  readonly text: string
  /** 64 bits. */
  readonly integer: string
}

/** A step of the schema, forward only. Once released it is never changed: the next one corrects a mistake. */
export interface Migration {
  /** Four digits and what it brings; migrations run in the order of their names. */
  readonly name: string
  readonly statements: (types: ColumnTypes) => ReadonlyArray<string>
}

export const columnTypes: Record<Dialect, ColumnTypes> = {
  sqlite: { text: "text", integer: "integer" },
  postgres: { text: 'text collate "C"', integer: "bigint" }
}
