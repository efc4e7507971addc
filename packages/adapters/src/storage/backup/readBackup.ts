import { createHash } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, type Redacted, Schema, Stream } from "effect"
import type { DocumentStore } from "../../identity/index.ts"
import { makePrivateFolder, PRIVATE_FILE_MODE } from "../files/index.ts"
import type { BackupTarget } from "./BackupTarget.ts"
import { backupsAt, DATABASE, DOCUMENTS, MANIFEST, Manifest, type Progress, pathOf } from "./createBackup.ts"
import type { DatabaseDump, RestoredDatabase } from "./DatabaseDump.ts"
import { decrypted } from "./encryption.ts"
import { BackupFailed, reasonOf } from "./errors.ts"
import { checkPostgres } from "./postgresDump.ts"
import { checkSqlite } from "./sqliteDump.ts"
import { type ArchiveFile, readTar } from "./tar.ts"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Manifest))

const damaged = (reason: string) =>
  new BackupFailed({ reason: `The backup is damaged: ${reason}. Use another backup.` })

const orDamaged = (thrown: unknown) => (thrown instanceof BackupFailed ? thrown : damaged(reasonOf(thrown)))

/** The files of an archive, whose folders are read one after the other. */
const inFolders = (files: AsyncGenerator<ArchiveFile>) => {
  let next: ArchiveFile | undefined
  const peek = async (): Promise<ArchiveFile | undefined> => {
    if (next !== undefined) return next
    const { done, value } = await files.next()
    next = done === true ? undefined : value
    return next
  }
  async function* below(folder: string): AsyncGenerator<ArchiveFile> {
    for (let file = await peek(); file?.name.startsWith(folder) === true; file = await peek()) {
      next = undefined
      yield file
    }
  }
  return { below, peek }
}

/** A backup that is read from its beginning to its end, once: `database` first, then `documents`. */
const open = Effect.fnUntraced(function* (target: BackupTarget, name: string, identity: Redacted.Redacted<string>) {
  const bytes = yield* Stream.toAsyncIterableEffect(yield* decrypted(identity, target.read(pathOf(name))))
  const { below, peek } = inFolders(readTar(bytes))
  const read = (folder: string) => Stream.fromAsyncIterable(below(folder), orDamaged)
  const [first] = yield* Stream.runCollect(read(MANIFEST))
  if (first === undefined) return yield* damaged("it does not begin with its manifest")
  const manifest = yield* Effect.mapError(decode(Buffer.from(first.content).toString()), () =>
    damaged("its manifest is of another version of Countersign")
  )
  return {
    manifest,
    database: Stream.map(read(DATABASE), ({ content }) => content),
    documents: Stream.map(read(DOCUMENTS), ({ content, name }) => ({ content, key: name.slice(DOCUMENTS.length) })),
    /** After both: the archive is read to its end, which is authenticated. */
    end: Effect.flatMap(Effect.tryPromise({ try: peek, catch: orDamaged }), (file) =>
      file === undefined ? Effect.void : Effect.fail(damaged(`it has a file ${file.name}, which no backup has`))
    )
  }
})

/** The named backup, else the latest one. */
const nameOrLatest = Effect.fnUntraced(function* (target: BackupTarget, name: string | null) {
  const [latest] = yield* backupsAt(target)
  const chosen = name ?? latest
  return chosen === undefined
    ? yield* new BackupFailed({
        reason: `There is no backup at ${target.place}. \`countersign backup create\` makes one.`
      })
    : chosen
})

const counting = (progress: Progress) => {
  const counted = { bytes: 0, documents: 0 }
  return {
    counted,
    ofDatabase: (content: Uint8Array) => {
      counted.bytes += content.length
      return progress(counted.bytes, counted.documents)
    },
    ofDocument: ({ content }: { readonly content: Uint8Array }) => {
      counted.bytes += content.length
      counted.documents += 1
      return progress(counted.bytes, counted.documents)
    }
  }
}

/** Reads a backup to its end and checks all of it. A SQLite database is written to the folder for that, and removed. */
export const verifyBackup = Effect.fnUntraced(function* (
  target: BackupTarget,
  name: string | null,
  identity: Redacted.Redacted<string>,
  folder: string,
  progress: Progress
) {
  const chosen = yield* nameOrLatest(target, name)
  const { database, documents, end, manifest } = yield* open(target, chosen, identity)
  const { counted, ofDatabase, ofDocument } = counting(progress)
  const content = Stream.tap(database, ofDatabase)
  yield* manifest.database === "sqlite" ? checkSqlite(folder, content) : checkPostgres(content)
  yield* Stream.runForEach(documents, ofDocument)
  yield* end
  return { name: chosen, ...manifest, ...counted }
})

/** Puts documents into their store, where they are not there yet. */
const restoreDocuments = <E>(
  store: DocumentStore,
  folder: string,
  documents: Stream.Stream<{ readonly key: string; readonly content: Uint8Array }, E>
) =>
  Effect.gen(function* () {
    makePrivateFolder(folder)
    const beside = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(folder, "restore-"))),
      (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
    )
    const path = join(beside, "document")
    yield* Stream.runForEach(documents, ({ content, key }) =>
      Effect.gen(function* () {
        yield* Effect.promise(() => rm(path, { force: true }))
        yield* Effect.tryPromise({
          try: () => writeFile(path, content, { mode: PRIVATE_FILE_MODE, flush: true }),
          catch: (thrown) => new BackupFailed({ reason: `Can't write a document to ${folder}: ${reasonOf(thrown)}.` })
        })
        const sha256 = createHash("sha256").update(content).digest("hex")
        // A restore before this one has put it there.
        yield* Effect.catchTag(
          store.put(key, { path, bytes: content.length, sha256 }),
          "DOCUMENT_ALREADY_UPLOADED",
          () => Effect.void
        )
      })
    )
  }).pipe(Effect.scoped)

export interface RestorePlace {
  readonly database: DatabaseDump
  readonly store: DocumentStore
  /** On the file system of the documents, where the store is a folder. */
  readonly folder: string
}

/**
 * Makes the database and the documents of a backup. `prepare` gets the database and when the backup was made, and repeats the
 * erasures since.
 */
export const restoreBackup = Effect.fnUntraced(function* <E, R>(
  target: BackupTarget,
  name: string | null,
  identity: Redacted.Redacted<string>,
  place: RestorePlace,
  progress: Progress,
  prepare: (database: RestoredDatabase, createdAtMs: number) => Effect.Effect<void, E, R>
) {
  const chosen = yield* nameOrLatest(target, name)
  const { database, documents, end, manifest } = yield* open(target, chosen, identity)
  if (manifest.database !== place.database.kind) {
    return yield* new BackupFailed({
      reason: `The backup has a ${manifest.database} database, and the settings name a ${place.database.kind} one. Change DATABASE_URL, and run the command again.`
    })
  }
  const { counted, ofDatabase, ofDocument } = counting(progress)
  yield* place.database.restore(Stream.tap(database, ofDatabase), (restored) =>
    Effect.gen(function* () {
      yield* restoreDocuments(place.store, place.folder, Stream.tap(documents, ofDocument))
      yield* end
      yield* prepare(restored, manifest.createdAtMs)
    })
  )
  return { name: chosen, ...manifest, ...counted }
})
