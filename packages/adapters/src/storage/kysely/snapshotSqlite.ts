import Database from "better-sqlite3"
import { requireNode } from "../../service/node/index.ts"
import { ensurePrivateFile } from "../files/index.ts"

/**
 * Copies a SQLite database, which may be in use, to a new file that only its owner can read. The copy runs in one read
 * transaction, so it is consistent while the service writes, and does not block writes. Throws errors of the operating
 * system or of SQLite.
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
