import { Effect, identity } from "effect"
import { sql } from "kysely"
import type { Db } from "./Db.ts"

/**
 * Waits until no other unit of work holds this lock, and holds it until the transaction ends. SQLite's units of work
 * are serial. On Postgres the next unit of work waits for this lock before its query starts. If the query itself waited
 * for a row lock, it would not see what was committed in the meantime.
 */
export const acquireAdvisoryLock = (db: Db["Service"], name: string): Effect.Effect<unknown> =>
  db.dialect === "sqlite" ? Effect.void : db.run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)

/** Commits the changes of the work if it returns true, and rolls them back if it returns false. */
export const commitIfTrue = (db: Db["Service"], work: Effect.Effect<boolean>): Effect.Effect<boolean> =>
  db.transaction(Effect.filterOrFail(work, identity)).pipe(Effect.orElseSucceed(() => false))
