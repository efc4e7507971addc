import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { Schema } from "effect"

/** Access for the owner only. The service's files contain keys, or data of tenants. */
export const PRIVATE_FILE_MODE = 0o600
const PRIVATE_FOLDER_MODE = 0o700

/** Sticky bit. A folder that users share, such as /tmp, keeps its permissions. */
const STICKY = 0o1000
const GROUP_AND_OTHER_BITS = 0o077

/** Removes other users' permissions from a file or folder that belongs to this user. */
const restrictToOwner = (path: string, ownMode: number): void => {
  const fileStats = statSync(path, { throwIfNoEntry: false })
  if (fileStats === undefined || fileStats.uid !== process.getuid?.()) return
  if ((fileStats.mode & GROUP_AND_OTHER_BITS) !== 0 && (fileStats.mode & STICKY) === 0) chmodSync(path, ownMode)
}

/** A folder can't be created or written. */
export class FolderNotWritable extends Schema.TaggedError<FolderNotWritable>("adapters/files/FolderNotWritable")(
  "FOLDER_NOT_WRITABLE",
  { folder: Schema.String, code: Schema.String }
) {
  override get message(): string {
    return `The folder ${this.folder} can't be written (${this.code}). Set COUNTERSIGN_HOME to a writable folder, or give this user write permission.`
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
 * Creates a folder with access for its owner only. Does not change an existing folder, because it may have any purpose.
 * Creates parent folders one by one, because Node's recursive mode never ends if no folder can be created in an
 * existing parent folder.
 */
export const makePrivateFolder = (folder: string): void => {
  if (isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makePrivateFolder(parent)
  try {
    mkdirSync(folder, { mode: PRIVATE_FOLDER_MODE })
  } catch (thrown) {
    // Another process may have created the folder in the meantime.
    if (!isFolder(folder)) throw new FolderNotWritable({ folder, code: codeOf(thrown) })
  }
}

/**
 * Ensures that the folder exists. If it belongs to this user and is not shared (sticky bit), makes it accessible only
 * for its owner.
 */
export const ensurePrivateFolder = (folder: string): void => {
  makePrivateFolder(folder)
  restrictToOwner(folder, PRIVATE_FOLDER_MODE)
}

/**
 * Ensures that the file exists (initially empty). If it belongs to this user, makes it accessible only for its owner.
 * Does not open an existing file, because a process that closes a SQLite file loses its locks on it.
 */
export const ensurePrivateFile = (file: string): void => {
  try {
    closeSync(openSync(file, "wx", PRIVATE_FILE_MODE))
  } catch (cause) {
    const code = codeOf(cause)
    if (code === "EACCES" || code === "EROFS") throw new FolderNotWritable({ folder: dirname(file), code })
    if (code !== "EEXIST") throw cause
    restrictPrivateFile(file)
  }
}

/** Restricts the access like `ensurePrivateFile`, for a file that may not exist. */
export const restrictPrivateFile = (file: string): void => restrictToOwner(file, PRIVATE_FILE_MODE)
