import { Effect, identity } from "effect"
import { sql } from "kysely"
import type { Db } from "./Db.ts"

/**
 * Waits until no other unit of work holds this lock, and holds it until the transaction ends. SQLite's units of work
 * are serial. On Postgres the next unit of work waits here and not in its query, because a query sees only what was
 * committed when it started, which is before it waits for a row lock.
 */
export const acquireAdvisoryLock = (db: Db["Service"], name: string): Effect.Effect<unknown> =>
  db.dialect === "sqlite" ? Effect.void : db.run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)

/** Commits the changes of the work if it returns true, and rolls them back if it returns false. */
export const commitIfTrue = (db: Db["Service"], work: Effect.Effect<boolean>): Effect.Effect<boolean> =>
  db.transaction(Effect.filterOrFail(work, identity)).pipe(Effect.orElseSucceed(() => false))
