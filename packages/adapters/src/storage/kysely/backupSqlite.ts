import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import Database from "better-sqlite3"
import { Effect, Schema } from "effect"
import { requireNode } from "../../service/node/index.ts"
import { ensurePrivateFile } from "../files/index.ts"
import { sqlErrorFromSqlite } from "./errors.ts"

/** Nothing is written over: a backup may be the only one. */
export class BackupExists extends Schema.TaggedError<BackupExists>("adapters/kysely/BackupExists")("BACKUP_EXISTS", {
  file: Schema.String
}) {
  override get message(): string {
    return `${this.file} is there already. Name another file.`
  }
}

/** A folder that is misspelt is not made. */
export class BackupFolderMissing extends Schema.TaggedError<BackupFolderMissing>("adapters/kysely/BackupFolderMissing")(
  "BACKUP_FOLDER_MISSING",
  { folder: Schema.String }
) {
  override get message(): string {
    return `There is no folder ${this.folder} to put the backup into. Make it, or name another one.`
  }
}

const flush = (file: string): void => {
  const handle = openSync(file, "r+")
  fsyncSync(handle)
  closeSync(handle)
}

/** One read transaction: the copy is of one instant, also while the service writes, and no write waits for it. */
const copy = (filename: string, part: string): void => {
  requireNode()
  const database = new Database(filename, { readonly: true, fileMustExist: true })
  try {
    database.prepare("vacuum into ?").run(part)
  } finally {
    database.close()
  }
}

/**
 * Copies a SQLite database that may be in use to a file of its own, which has its name once it is whole and on disk, and
 * is open to its owner alone.
 */
export const backupSqlite = Effect.fn("backupSqlite")(function* (filename: string, file: string) {
  if (existsSync(file)) return yield* new BackupExists({ file })
  const folder = dirname(file)
  if (!existsSync(folder)) return yield* new BackupFolderMissing({ folder })
  const part = `${file}.part`
  yield* Effect.try({
    try: () => {
      rmSync(part, { force: true })
      ensurePrivateFile(part)
      copy(filename, part)
      flush(part)
      renameSync(part, file)
    },
    catch: (cause) => sqlErrorFromSqlite(cause, "vacuum into")
  })
})
