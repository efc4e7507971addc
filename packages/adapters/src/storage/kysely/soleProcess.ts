import { statSync } from "node:fs"
import { dirname } from "node:path"
import Database from "better-sqlite3"
import { Effect, Layer, Schema } from "effect"
import { requireNode } from "../../service/node/index.ts"
import { ensurePrivateFile, makePrivateFolder } from "../files/index.ts"
import { isSqliteBusy, isSqliteDamage } from "./errors.ts"

/** Another process serves with this file. */
export class DatabaseInUse extends Schema.TaggedError<DatabaseInUse>("adapters/kysely/DatabaseInUse")(
  "DATABASE_IN_USE",
  { filename: Schema.String }
) {
  override get message(): string {
    return (
      `Another process serves on ${this.filename} already, and a SQLite file is for one. Stop it, or set DATABASE_URL to a ` +
      "Postgres database, which several processes share."
    )
  }
}

/** A part of the file is damaged. */
export class DatabaseDamaged extends Schema.TaggedError<DatabaseDamaged>("adapters/kysely/DatabaseDamaged")(
  "DATABASE_DAMAGED",
  { filename: Schema.String }
) {
  override get message(): string {
    return `The database ${this.filename} is damaged. Put a backup in its place; \`sqlite3 … .recover\` may save what the backup lacks.`
  }
}

/** A transaction on a lock file beside the database, open while the process runs: no other process can open one. */
const open = (filename: string): Database.Database => {
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

/** False if a part of the file is damaged. A missing or empty file is not damaged. */
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

const requireWhole = (filename: string) =>
  Effect.flatMap(
    Effect.sync(() => isIntactSqlite(filename)),
    (whole) => (whole ? Effect.void : Effect.fail(new DatabaseDamaged({ filename })))
  )

/**
 * Makes this the only process that serves with a SQLite file. Commands do not need the lock. The system releases the
 * lock when the process ends. Fails if a part of the file is damaged, which would otherwise show in later responses.
 */
export const layerSoleProcess = (filename: string): Layer.Layer<never, DatabaseInUse | DatabaseDamaged> =>
  filename === ":memory:"
    ? Layer.empty
    : Layer.effectDiscard(
        Effect.acquireRelease(
          Effect.try({ try: () => open(filename), catch: (cause) => cause }).pipe(
            Effect.catch((cause) =>
              isSqliteBusy(cause) ? Effect.fail(new DatabaseInUse({ filename })) : Effect.die(cause)
            )
          ),
          (database) => Effect.sync(() => database.close())
        ).pipe(Effect.andThen(requireWhole(filename)))
      )
