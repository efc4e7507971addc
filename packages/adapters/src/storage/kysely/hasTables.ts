import { Effect } from "effect"
import { sql } from "kysely"
import { Db } from "./Db.ts"

/** Whether a Postgres database has tables, of this or any other application. */
export const hasTables = Effect.flatMap(Db, (db) =>
  Effect.map(
    db.all(sql`select 1 from pg_tables where schemaname not in ('pg_catalog', 'information_schema') limit 1`),
    (rows) => rows.length > 0
  )
)
