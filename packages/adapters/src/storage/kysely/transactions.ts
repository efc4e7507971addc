import { Effect, identity } from "effect"
import { sql } from "kysely"
import type { Db } from "./Db.ts"

/**
 * Waits until no other unit of work has this lock, and keeps it until the transaction ends. SQLite's units of work are
 * serial. On Postgres the next unit waits here and not in its query: a query sees what was committed when it began,
 * which is before it waits for a row lock.
 */
export const hold = (db: Db["Service"], name: string): Effect.Effect<unknown> =>
  db.dialect === "sqlite" ? Effect.void : db.run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)

/** Stores the changes of the work if it returns true. If it returns false, they are rolled back. */
export const storedIfTrue = (db: Db["Service"], work: Effect.Effect<boolean>): Effect.Effect<boolean> =>
  db.transaction(Effect.filterOrFail(work, identity)).pipe(Effect.orElseSucceed(() => false))
