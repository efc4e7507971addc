import { createHash } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, type Redacted, Schema, Stream } from "effect"
import type { DocumentStore } from "../../identity/index.ts"
import { makePrivateFolder, PRIVATE_FILE_MODE } from "../files/index.ts"
import type { BackupTarget } from "./BackupTarget.ts"
import { DATABASE, DOCUMENTS, listBackups, MANIFEST, Manifest, type Progress, pathOf } from "./createBackup.ts"
import type { DatabaseDump, RestoredDatabase } from "./DatabaseDump.ts"
import { decrypt } from "./encryption.ts"
import { BackupFailed, reasonOf } from "./errors.ts"
import { checkPostgres } from "./postgresDump.ts"
import { checkSqlite } from "./sqliteDump.ts"
import { type ArchiveFile, readTar } from "./tar.ts"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Manifest))

const damagedBackup = (reason: string) =>
  new BackupFailed({ reason: `The backup is damaged: ${reason}. Use another backup.` })

const toBackupFailure = (thrown: unknown) => (thrown instanceof BackupFailed ? thrown : damagedBackup(reasonOf(thrown)))

/** Reads the files of an archive folder by folder, in the order of the archive. */
const groupByFolder = (files: AsyncGenerator<ArchiveFile>) => {
  let next: ArchiveFile | undefined
  const peek = async (): Promise<ArchiveFile | undefined> => {
    if (next !== undefined) return next
    const { done, value } = await files.next()
    next = done === true ? undefined : value
    return next
  }
  async function* filesIn(folder: string): AsyncGenerator<ArchiveFile> {
    for (let file = await peek(); file?.name.startsWith(folder) === true; file = await peek()) {
      next = undefined
      yield file
    }
  }
  return { filesIn, peek }
}

/** Opens a backup, which is read once from beginning to end: first `database`, then `documents`. */
const openBackup = Effect.fnUntraced(function* (
  target: BackupTarget,
  name: string,
  identity: Redacted.Redacted<string>
) {
  const bytes = yield* Stream.toAsyncIterableEffect(yield* decrypt(identity, target.read(pathOf(name))))
  const { filesIn, peek } = groupByFolder(readTar(bytes))
  const readFolder = (folder: string) => Stream.fromAsyncIterable(filesIn(folder), toBackupFailure)
  const [first] = yield* Stream.runCollect(readFolder(MANIFEST))
  if (first === undefined) return yield* damagedBackup("it does not begin with a manifest")
  const manifest = yield* Effect.mapError(decode(Buffer.from(first.content).toString()), () =>
    damagedBackup("this version of Countersign can't read its manifest")
  )
  return {
    manifest,
    database: Stream.map(readFolder(DATABASE), ({ content }) => content),
    documents: Stream.map(readFolder(DOCUMENTS), ({ content, name }) => ({
      content,
      key: name.slice(DOCUMENTS.length)
    })),
    /** Reads the archive to its end and authenticates the end. Must run after `database` and `documents` were read. */
    verifyEnd: Effect.flatMap(Effect.tryPromise({ try: peek, catch: toBackupFailure }), (file) =>
      file === undefined ? Effect.void : Effect.fail(damagedBackup(`it contains an unexpected file ${file.name}`))
    )
  }
})

/** Returns the backup with this name, or the latest one if the name is null. */
const nameOrLatest = Effect.fnUntraced(function* (target: BackupTarget, name: string | null) {
  const [latest] = yield* listBackups(target)
  const chosenName = name ?? latest
  return chosenName === undefined
    ? yield* new BackupFailed({
        reason: `There is no backup at ${target.location}. Create one with \`countersign backup create\`.`
      })
    : chosenName
})

const progressCounter = (progress: Progress) => {
  const totals = { bytes: 0, documents: 0 }
  return {
    totals,
    countDatabase: (content: Uint8Array) => {
      totals.bytes += content.length
      return progress(totals.bytes, totals.documents)
    },
    countDocument: ({ content }: { readonly content: Uint8Array }) => {
      totals.bytes += content.length
      totals.documents += 1
      return progress(totals.bytes, totals.documents)
    }
  }
}

/** Reads a backup to its end and verifies all of it. Writes a SQLite database to a temporary file in the folder. */
export const verifyBackup = Effect.fnUntraced(function* (
  target: BackupTarget,
  name: string | null,
  identity: Redacted.Redacted<string>,
  folder: string,
  progress: Progress
) {
  const chosenName = yield* nameOrLatest(target, name)
  const { database, documents, verifyEnd, manifest } = yield* openBackup(target, chosenName, identity)
  const { totals, countDatabase, countDocument } = progressCounter(progress)
  const content = Stream.tap(database, countDatabase)
  yield* manifest.database === "sqlite" ? checkSqlite(folder, content) : checkPostgres(content)
  yield* Stream.runForEach(documents, countDocument)
  yield* verifyEnd
  return { name: chosenName, ...manifest, ...totals }
})

/** Writes the documents to their store that are missing there. */
const restoreDocuments = <E>(
  store: DocumentStore,
  folder: string,
  documents: Stream.Stream<{ readonly key: string; readonly content: Uint8Array }, E>
) =>
  Effect.gen(function* () {
    makePrivateFolder(folder)
    const temporaryPath = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(folder, "restore-"))),
      (temporaryFolder) => Effect.promise(() => rm(temporaryFolder, { recursive: true, force: true }))
    )
    const path = join(temporaryPath, "document")
    yield* Stream.runForEach(documents, ({ content, key }) =>
      Effect.gen(function* () {
        yield* Effect.promise(() => rm(path, { force: true }))
        yield* Effect.tryPromise({
          try: () => writeFile(path, content, { mode: PRIVATE_FILE_MODE, flush: true }),
          catch: (thrown) => new BackupFailed({ reason: `Can't write a document to ${folder}: ${reasonOf(thrown)}.` })
        })
        const sha256 = createHash("sha256").update(content).digest("hex")
        // An earlier restore has already written the document.
        yield* Effect.catchTag(
          store.put(key, { path, bytes: content.length, sha256 }),
          "DOCUMENT_ALREADY_UPLOADED",
          () => Effect.void
        )
      })
    )
  }).pipe(Effect.scoped)

export interface RestoreTarget {
  readonly database: DatabaseDump
  readonly store: DocumentStore
  /** A path on the same file system as the documents, if they are stored in a folder. */
  readonly folder: string
}

/**
 * Restores the database and the documents of a backup. `prepare` receives the database and the time of the backup, and
 * repeats the erasures since then.
 */
export const restoreBackup = Effect.fnUntraced(function* <E, R>(
  target: BackupTarget,
  name: string | null,
  identity: Redacted.Redacted<string>,
  restoreTarget: RestoreTarget,
  progress: Progress,
  prepare: (database: RestoredDatabase, createdAtMs: number) => Effect.Effect<void, E, R>
) {
  const chosenName = yield* nameOrLatest(target, name)
  const { database, documents, verifyEnd, manifest } = yield* openBackup(target, chosenName, identity)
  if (manifest.database !== restoreTarget.database.kind) {
    return yield* new BackupFailed({
      reason: `The backup contains a ${manifest.database} database, but DATABASE_URL is a ${restoreTarget.database.kind} database. Change DATABASE_URL, and run the command again.`
    })
  }
  const { totals, countDatabase, countDocument } = progressCounter(progress)
  yield* restoreTarget.database.restore(Stream.tap(database, countDatabase), (restoredDatabase) =>
    Effect.gen(function* () {
      yield* restoreDocuments(restoreTarget.store, restoreTarget.folder, Stream.tap(documents, countDocument))
      yield* verifyEnd
      yield* prepare(restoredDatabase, manifest.createdAtMs)
    })
  )
  return { name: chosenName, ...manifest, ...totals }
})
