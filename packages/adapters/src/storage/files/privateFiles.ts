import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { Schema } from "effect"

/** The service's files hold keys, or what tenants must not learn of one another. */
export const PRIVATE_FILE_MODE = 0o600
const PRIVATE_FOLDER_MODE = 0o700

/** A folder that users share, such as /tmp, keeps its rights. */
const STICKY = 0o1000
const OF_OTHERS = 0o077

/** Takes other users' rights from a file or folder of this user. */
const closeToOthers = (path: string, ownMode: number): void => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.uid !== process.getuid?.()) return
  if ((found.mode & OF_OTHERS) !== 0 && (found.mode & STICKY) === 0) chmodSync(path, ownMode)
}

/** A folder that can't be made, or in which nothing can. */
export class FolderNotWritable extends Schema.TaggedError<FolderNotWritable>("adapters/files/FolderNotWritable")(
  "FOLDER_NOT_WRITABLE",
  { folder: Schema.String, code: Schema.String }
) {
  override get message(): string {
    return `The folder ${this.folder} can't be written (${this.code}). Set COUNTERSIGN_HOME to one that can, or give this user its rights.`
  }
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

const codeOf = (thrown: unknown): string => String(Object(thrown).code ?? thrown)

/**
 * Makes a folder that is open to its owner alone. One that is there is left as it is: it may be anything. Each folder above
 * is made here, because Node's own recursion never ends where a folder is there and none can be made in it.
 */
export const makePrivateFolder = (folder: string): void => {
  if (isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makePrivateFolder(parent)
  try {
    mkdirSync(folder, { mode: PRIVATE_FOLDER_MODE })
  } catch (thrown) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw new FolderNotWritable({ folder, code: codeOf(thrown) })
  }
}

/** Sees to it that there is such a folder, which is ours, and that it is open to its owner alone. */
export const ensurePrivateFolder = (folder: string): void => {
  makePrivateFolder(folder)
  closeToOthers(folder, PRIVATE_FOLDER_MODE)
}

/**
 * Sees to it that there is such a file, empty at first, and that it is open to its owner alone. A file that is there is
 * not opened: a process that closes a SQLite file loses its locks on it.
 */
export const ensurePrivateFile = (file: string): void => {
  try {
    closeSync(openSync(file, "wx", PRIVATE_FILE_MODE))
  } catch (cause) {
    const code = codeOf(cause)
    if (code === "EACCES" || code === "EROFS") throw new FolderNotWritable({ folder: dirname(file), code })
    if (code !== "EEXIST") throw cause
    closePrivateFile(file)
  }
}

/** The same where a file may be absent. */
export const closePrivateFile = (file: string): void => closeToOthers(file, PRIVATE_FILE_MODE)
