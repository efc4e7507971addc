import { type Expression, sql } from "kysely"
import type { Dialect } from "./dialect.ts"

/** The same value, which no index is used for. */
export const hidden = (dialect: Dialect, column: Expression<unknown>) =>
  dialect === "sqlite" ? sql`+${column}` : sql`${column} || ''`
