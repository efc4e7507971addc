import { randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { link, open, readdir, rm } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { Effect, Stream } from "effect"
import { makePrivateFolder, PRIVATE_FILE_MODE } from "../files/index.ts"
import type { BackupTarget } from "./BackupTarget.ts"
import { BackupFailed, reasonOf } from "./errors.ts"

const PART = ".part-"

/** Flushes a folder to disk. Otherwise a power failure could undo a rename or a new link in it. */
const flushFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r")
  await handle.sync().finally(() => handle.close())
}

/** Stores objects as files in a folder. A slash in a name creates a subfolder. */
export const folderTarget = (folder: string): BackupTarget => {
  const attempt = <A>(action: string, run: () => Promise<A>): Effect.Effect<A, BackupFailed> =>
    Effect.tryPromise({
      try: run,
      catch: (thrown) =>
        new BackupFailed({
          reason: `Can't ${action} in the folder ${folder}: ${reasonOf(thrown)}. Earlier backups are unchanged. Fix the problem, and run the command again.`
        })
    })

  return {
    location: folder,
    write: (name, content) =>
      Effect.gen(function* () {
        const path = join(folder, name)
        const temporaryPath = join(dirname(path), `${PART}${randomUUID()}`)
        yield* attempt("make folders", async () => makePrivateFolder(dirname(path)))
        yield* Effect.addFinalizer(() => Effect.promise(() => rm(temporaryPath, { force: true })))
        const file = yield* Effect.acquireRelease(
          attempt("write", () => open(temporaryPath, "wx", PRIVATE_FILE_MODE)),
          (opened) => Effect.promise(() => opened.close())
        )
        yield* Stream.runForEach(content, (piece) => attempt("write", () => file.writeFile(piece)))
        return yield* attempt("write", async () => {
          await file.sync()
          // A link fails if the file exists, unlike a rename.
          const isNew = await link(temporaryPath, path).then(
            () => true,
            (thrown: NodeJS.ErrnoException) => (thrown.code === "EEXIST" ? false : Promise.reject(thrown))
          )
          await flushFolder(dirname(path))
          return isNew
        })
      }).pipe(Effect.scoped),
    read: (name) =>
      Stream.fromAsyncIterable(
        createReadStream(join(folder, name)) as AsyncIterable<Uint8Array>,
        (thrown) => new BackupFailed({ reason: `Can't read ${join(folder, name)}: ${reasonOf(thrown)}.` })
      ),
    list: (prefix) =>
      attempt("list files", async () => {
        const entries = await readdir(folder, { recursive: true, withFileTypes: true })
        return entries
          .filter((entry) => entry.isFile() && !entry.name.startsWith(PART))
          .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
          .filter((name) => name.startsWith(prefix))
          .toSorted()
      })
  }
}
