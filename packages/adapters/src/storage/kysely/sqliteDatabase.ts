import { dirname } from "node:path"
import Database from "better-sqlite3"
import { Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { requireNode } from "../../service/node/index.ts"
import { ensurePrivateFile, makePrivateFolder, restrictPrivateFile } from "../files/index.ts"
import { isSqliteBusy, sqlErrorFromSqlite } from "./errors.ts"

/** How long a statement is retried while another process holds the lock, in milliseconds. */
const LOCK_TIMEOUT_MS = 30_000
const LOCK_POLL_MAX_MS = 25

/**
 * How long SQLite itself waits for a lock, in milliseconds. This wait blocks the entire process. If another connection
 * of this process holds the lock, a long wait could never succeed, so the remaining wait happens outside of SQLite
 * without blocking.
 */
const LOCK_BLOCKING_MS = 5

/** Uses real time, because another process, which does not follow a test clock, holds the lock. */
const pause = Effect.callback<void>((resume) => {
  const timer = setTimeout(() => resume(Effect.void), 1 + Math.random() * LOCK_POLL_MAX_MS)
  return Effect.sync(() => clearTimeout(timer))
})

/**
 * Repeats a step while SQLite reports that it is busy, until the step succeeds or the time is over. A step that failed
 * as busy had no effect.
 */
export const whenUnlocked = <A>(sql: string, step: () => A): Effect.Effect<A, SqlError.SqlError> =>
  Effect.suspend(() => {
    const deadline = performance.now() + LOCK_TIMEOUT_MS
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

/**
 * Creates the database file with private permissions. SQLite creates its other files with the permissions of the
 * database file.
 */
const ensureFile = (filename: string): void => {
  makePrivateFolder(dirname(filename))
  ensurePrivateFile(filename)
  for (const suffix of ["-wal", "-shm"]) restrictPrivateFile(`${filename}${suffix}`)
}

const openDatabase = (filename: string, mode: "write" | "read"): Database.Database => {
  requireNode()
  if (mode === "write" && filename !== ":memory:") ensureFile(filename)
  return new Database(filename, { readonly: mode === "read", timeout: LOCK_BLOCKING_MS })
}

/**
 * Opens a file or `:memory:`, and creates the file's folder if necessary. With WAL, readers can read while one
 * connection writes. The database is closed with the scope.
 */
export const openSqlite = (
  filename: string,
  mode: "write" | "read"
): Effect.Effect<Database.Database, SqlError.SqlError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tap(
      whenUnlocked("open", () => openDatabase(filename, mode)),
      (database) =>
        whenUnlocked("pragma", () => {
          if (mode === "write") {
            // Applies only to a new file. Most rows are records of 1 to 2 kB. A page of 4,096 bytes would contain few
            // of them and much unused space.
            database.pragma("page_size = 8192")
            database.pragma("journal_mode = WAL")
            // With WAL, a crash of the process loses nothing, and a power failure loses at most the last commits.
            database.pragma("synchronous = NORMAL")
            // Overwrites deleted rows with zeros, because they include keys of erased identities.
            database.pragma("secure_delete = ON")
          }
          database.pragma("foreign_keys = ON")
        })
    ),
    (database) => Effect.sync(() => database.close())
  )
