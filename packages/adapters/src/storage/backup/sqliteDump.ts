import { randomUUID } from "node:crypto"
import { createReadStream, existsSync } from "node:fs"
import { link, mkdtemp, open, readdir, rm } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { Effect, Stream } from "effect"
import { makePrivateFolder, PRIVATE_FILE_MODE } from "../files/index.ts"
import { isIntactSqlite, snapshotSqlite } from "../kysely/index.ts"
import type { DatabaseDump } from "./DatabaseDump.ts"
import { BackupFailed, reasonOf } from "./errors.ts"

const backupFailure = (action: string) => (thrown: unknown) =>
  new BackupFailed({ reason: `Can't ${action}: ${reasonOf(thrown)}.` })

const suffixes = ["", "-wal", "-shm", "-journal"]

const removeDatabase = (file: string) =>
  Effect.promise(() => Promise.all(suffixes.map((suffix) => rm(`${file}${suffix}`, { force: true }))))

/** Writes the content to a new file, and checks that it is an intact database. */
const writeDatabase = <E>(file: string, content: Stream.Stream<Uint8Array, E>) =>
  Effect.gen(function* () {
    yield* removeDatabase(file)
    const handle = yield* Effect.acquireRelease(
      Effect.tryPromise({ try: () => open(file, "wx", PRIVATE_FILE_MODE), catch: backupFailure(`write ${file}`) }),
      (opened) => Effect.promise(() => opened.close())
    )
    yield* Stream.runForEach(content, (piece) =>
      Effect.tryPromise({ try: () => handle.writeFile(piece), catch: backupFailure(`write ${file}`) })
    )
    yield* Effect.tryPromise({ try: () => handle.sync(), catch: backupFailure(`write ${file}`) })
    if (!isIntactSqlite(file))
      return yield* new BackupFailed({ reason: "The database in the backup is damaged. Use another backup." })
  }).pipe(Effect.scoped)

/** Checks that the content is an intact database, by writing it to a temporary file in the folder. */
export const checkSqlite = <E>(folder: string, content: Stream.Stream<Uint8Array, E>) =>
  Effect.gen(function* () {
    makePrivateFolder(folder)
    const temporaryPath = yield* Effect.acquireRelease(
      Effect.tryPromise({ try: () => mkdtemp(join(folder, "verify-")), catch: backupFailure(`write to ${folder}`) }),
      (temporaryFolder) => Effect.promise(() => rm(temporaryFolder, { recursive: true, force: true }))
    )
    yield* writeDatabase(join(temporaryPath, "countersign.db"), content)
  }).pipe(Effect.scoped)

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/u

/**
 * Removes the snapshots of processes that were killed. Also removes the snapshot of a backup in progress, which then
 * fails.
 */
const removeSnapshots = (prefix: string) =>
  Effect.promise(async () => {
    const [folder, start] = [dirname(prefix), basename(prefix)]
    const names = await readdir(folder)
    const abandonedSnapshots = names.filter((name) => name.startsWith(start) && UUID.test(name.slice(start.length)))
    await Promise.all(abandonedSnapshots.map((name) => rm(join(folder, name), { force: true })))
  })

/**
 * Dumps a SQLite database through a snapshot, which is stored in the database's folder until the backup contains it.
 */
export const sqliteDump = (filename: string): DatabaseDump => {
  const snapshots = `${filename}.snapshot-`
  const restoredFile = `${filename}.restored`
  return {
    kind: "sqlite",
    read: Stream.unwrap(
      Effect.gen(function* () {
        yield* removeSnapshots(snapshots)
        const snapshot = `${snapshots}${randomUUID()}`
        yield* Effect.addFinalizer(() => removeDatabase(snapshot))
        yield* Effect.try({
          try: () => snapshotSqlite(filename, snapshot),
          catch: backupFailure(`copy the database ${filename}`)
        })
        return Stream.fromAsyncIterable(
          createReadStream(snapshot) as AsyncIterable<Uint8Array>,
          backupFailure(`read ${snapshot}`)
        )
      })
    ),
    restore: (content, prepare) =>
      Effect.gen(function* () {
        if (suffixes.some((suffix) => existsSync(`${filename}${suffix}`))) {
          return yield* new BackupFailed({
            reason: `A database ${filename} already exists. Stop the service, move the file away with ${filename}-wal and ${filename}-shm, and run the command again.`
          })
        }
        makePrivateFolder(dirname(filename))
        yield* writeDatabase(restoredFile, content)
        yield* prepare({ _tag: "Sqlite", filename: restoredFile })
        // A link does not replace a database that was created in the meantime, unlike a rename.
        yield* Effect.tryPromise({ try: () => link(restoredFile, filename), catch: backupFailure(`write ${filename}`) })
      }).pipe(Effect.ensuring(removeDatabase(restoredFile)))
  }
}
