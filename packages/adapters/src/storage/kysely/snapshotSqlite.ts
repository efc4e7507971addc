import Database from "better-sqlite3"
import { requireNode } from "../../service/node/index.ts"
import { ensurePrivateFile } from "../files/index.ts"

/**
 * Copies a SQLite database that may be in use to a new file that only its owner can read. One read transaction: the copy is of one
 * instant, also while the service writes, and no write waits for it. Throws an error of the operating system or of SQLite.
 */
export const snapshotSqlite = (filename: string, file: string): void => {
  requireNode()
  ensurePrivateFile(file)
  const database = new Database(filename, { readonly: true, fileMustExist: true })
  try {
    database.prepare("vacuum into ?").run(file)
  } finally {
    database.close()
  }
}
