import { statSync } from "node:fs"
import { dirname } from "node:path"
import Database from "better-sqlite3"
import { Effect, Layer, Schema } from "effect"
import { requireNode } from "../../service/node/index.ts"
import { ensurePrivateFile, makePrivateFolder } from "../files/index.ts"
import { isSqliteBusy, isSqliteDamage } from "./errors.ts"

/** Another process already serves with this file. */
export class DatabaseInUse extends Schema.TaggedError<DatabaseInUse>("adapters/kysely/DatabaseInUse")(
  "DATABASE_IN_USE",
  { filename: Schema.String }
) {
  override get message(): string {
    return (
      `Another process already serves with ${this.filename}, and only one process can use a SQLite file. Stop the other process, or set DATABASE_URL to a ` +
      "Postgres database, which several processes can share."
    )
  }
}

/** The file is corrupt. */
export class DatabaseDamaged extends Schema.TaggedError<DatabaseDamaged>("adapters/kysely/DatabaseDamaged")(
  "DATABASE_DAMAGED",
  { filename: Schema.String }
) {
  override get message(): string {
    return `The database ${this.filename} is damaged. Restore a backup. \`sqlite3 … .recover\` may recover data that the backup lacks.`
  }
}

/**
 * Opens a transaction on a lock file in the database's folder. It stays open while the process runs, and no other
 * process can open one.
 */
const openLock = (filename: string): Database.Database => {
  requireNode()
  makePrivateFolder(dirname(filename))
  ensurePrivateFile(`${filename}-lock`)
  const database = new Database(`${filename}-lock`, { timeout: 0 })
  try {
    database.exec("begin exclusive")
    return database
  } catch (cause) {
    database.close()
    throw cause
  }
}

/** Returns false if the file is corrupt. A missing or empty file is not corrupt. */
export const isIntactSqlite = (filename: string): boolean => {
  if ((statSync(filename, { throwIfNoEntry: false })?.size ?? 0) === 0) return true
  const database = new Database(filename, { fileMustExist: true })
  try {
    return database.pragma("quick_check(1)", { simple: true }) === "ok"
  } catch (cause) {
    if (isSqliteDamage(cause)) return false
    throw cause
  } finally {
    database.close()
  }
}

const requireIntact = (filename: string) =>
  Effect.flatMap(
    Effect.sync(() => isIntactSqlite(filename)),
    (isIntact) => (isIntact ? Effect.void : Effect.fail(new DatabaseDamaged({ filename })))
  )

/**
 * Makes this the only process with workers on a SQLite file. Commands and processes without workers do not need the
 * lock. The operating system releases the lock when the process ends. Fails if the file is corrupt, because the damage
 * would otherwise only appear in later responses.
 */
export const layerSoleProcess = (filename: string): Layer.Layer<never, DatabaseInUse | DatabaseDamaged> =>
  filename === ":memory:"
    ? Layer.empty
    : Layer.effectDiscard(
        Effect.acquireRelease(
          Effect.try({ try: () => openLock(filename), catch: (cause) => cause }).pipe(
            Effect.catch((cause) =>
              isSqliteBusy(cause) ? Effect.fail(new DatabaseInUse({ filename })) : Effect.die(cause)
            )
          ),
          (database) => Effect.sync(() => database.close())
        ).pipe(Effect.andThen(requireIntact(filename)))
      )
