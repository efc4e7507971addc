import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import Database from "better-sqlite3"
import { Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { isSqliteBusy, sqlErrorFromSqlite } from "./errors.ts"

/** For how long a statement tries again while another process holds the lock. */
const LOCK_PATIENCE_MS = 30_000
const LOCK_POLL_MAX_MS = 25

/**
 * SQLite's own waiting blocks the whole process, and for good when the holder of the lock is another connection of the
 * same process. So SQLite waits for an instant only, and the rest of the waiting is done here.
 */
const LOCK_BLOCKING_MS = 5

/** In real time, because the lock belongs to another process, which knows nothing of a test's clock. */
const pause = Effect.callback<void>((resume) => {
  const timer = setTimeout(() => resume(Effect.void), 1 + Math.random() * LOCK_POLL_MAX_MS)
  return Effect.sync(() => clearTimeout(timer))
})

/** Runs a step that has no effect when it fails as busy, until it gets through or patience is at its end. */
export const whenUnlocked = <A>(sql: string, step: () => A): Effect.Effect<A, SqlError.SqlError> =>
  Effect.suspend(() => {
    const deadline = performance.now() + LOCK_PATIENCE_MS
    const attempt: Effect.Effect<A, SqlError.SqlError> = Effect.suspend(() => {
      try {
        return Effect.succeed(step())
      } catch (cause) {
        return isSqliteBusy(cause) && performance.now() < deadline
          ? Effect.andThen(pause, attempt)
          : Effect.fail(sqlErrorFromSqlite(cause, sql))
      }
    })
    return attempt
  })

const open = (filename: string, mode: "write" | "read"): Database.Database => {
  if (mode === "write" && filename !== ":memory:") mkdirSync(dirname(filename), { recursive: true })
  return new Database(filename, { readonly: mode === "read", timeout: LOCK_BLOCKING_MS })
}

/** Opens a file, with its folder where there is none, or `:memory:`. WAL lets readers go on while one connection writes. Closed with the scope. */
export const openSqlite = (
  filename: string,
  mode: "write" | "read"
): Effect.Effect<Database.Database, SqlError.SqlError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tap(
      whenUnlocked("open", () => open(filename, mode)),
      (database) =>
        whenUnlocked("pragma", () => {
          if (mode === "write") {
            database.pragma("journal_mode = WAL")
            // In WAL mode a crash of the process loses nothing, and a power cut the last commits at worst.
            database.pragma("synchronous = NORMAL")
          }
          database.pragma("foreign_keys = ON")
        })
    ),
    (database) => Effect.sync(() => database.close())
  )
