import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs"

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

/** Makes a folder that is open to its owner alone. One that is there is left as it is: it may be anything. */
export const makePrivateFolder = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE })
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
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
    closePrivateFile(file)
  }
}

/** The same where a file may be absent. */
export const closePrivateFile = (file: string): void => closeToOthers(file, PRIVATE_FILE_MODE)
