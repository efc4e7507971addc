import { type Expression, sql } from "kysely"
import type { Dialect } from "./dialect.ts"

/** Wraps a column in an expression for which no index is used. */
export const withoutIndex = (dialect: Dialect, column: Expression<unknown>) =>
  dialect === "sqlite" ? sql`+${column}` : sql`${column} || ''`
