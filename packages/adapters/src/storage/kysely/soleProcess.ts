import { statSync } from "node:fs"
import { dirname } from "node:path"
import Database from "better-sqlite3"
import { Effect, Layer, Schema } from "effect"
import { requireNode } from "../../service/node/index.ts"
import { ensurePrivateFile, makePrivateFolder } from "../files/index.ts"
import { isSqliteBusy, isSqliteDamage } from "./errors.ts"

/** Another process serves on the file. */
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

/** Part of a file that is not as SQLite has written it. */
export class DatabaseDamaged extends Schema.TaggedError<DatabaseDamaged>("adapters/kysely/DatabaseDamaged")(
  "DATABASE_DAMAGED",
  { filename: Schema.String }
) {
  override get message(): string {
    return `The database ${this.filename} is damaged. Put a backup in its place; \`sqlite3 … .recover\` may save what the backup lacks.`
  }
}

/** A transaction on a file beside the database, open while the process lives: no other process can open one. */
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
export const isWholeSqlite = (filename: string): boolean => {
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
    Effect.sync(() => isWholeSqlite(filename)),
    (whole) => (whole ? Effect.void : Effect.fail(new DatabaseDamaged({ filename })))
  )

/**
 * Makes this the one process that serves on a SQLite file. Commands beside it don't ask. The system ends the lock with
 * the process, however that ends. Fails where a part of the file is damaged, which would show in answers later.
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
