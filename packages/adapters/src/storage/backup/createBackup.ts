import { Clock, Effect, Schema, Stream } from "effect"
import type { BackupTarget } from "./BackupTarget.ts"
import type { DatabaseDump } from "./DatabaseDump.ts"
import { encrypt } from "./encryption.ts"
import { BackupFailed } from "./errors.ts"
import { piecesOf } from "./pieces.ts"
import { type ArchiveFile, encodeTarEntry, tarEnd } from "./tar.ts"

/** Describes the backup; the first file of the archive. */
export const Manifest = Schema.Struct({
  format: Schema.Literal(1),
  database: Schema.Literals(["postgres", "sqlite"]),
  createdAtMs: Schema.Int
})
export type Manifest = typeof Manifest.Type

const encode = Schema.encodeSync(Schema.fromJsonString(Manifest))

export const MANIFEST = "manifest.json"
export const DATABASE = "database/"
export const DOCUMENTS = "documents/"
const BACKUPS = "backups/"
const SUFFIX = ".tar.age"

const PART_BYTES = 8 * 1_048_576
const PART_DIGITS = 8

/** Receives the number of bytes and documents written so far. */
export type Progress = (bytes: number, documents: number) => Effect.Effect<void>

export interface BackupSource<E, R> {
  readonly database: DatabaseDump
  /** The encrypted documents. They are read after the database, which contains their keys. */
  readonly documents: Stream.Stream<{ readonly key: string; readonly content: Uint8Array }, E, R>
}

const databaseFiles = ({ read }: DatabaseDump) =>
  Stream.zipWithIndex(piecesOf(read, PART_BYTES)).pipe(
    Stream.map(
      ([content, i]): ArchiveFile => ({ name: `${DATABASE}${String(i + 1).padStart(PART_DIGITS, "0")}`, content })
    )
  )

/**
 * Writes a snapshot of the database, and then the documents, to a new backup: a tar archive that only the recipient's
 * identity can decrypt. A document that is erased or uploaded while the backup runs may or may not be included.
 */
export const createBackup = Effect.fnUntraced(function* <E, R>(
  { database, documents }: BackupSource<E, R>,
  target: BackupTarget,
  recipient: string,
  progress: Progress
) {
  const createdAtMs = yield* Clock.currentTimeMillis
  const manifest = { format: 1, database: database.kind, createdAtMs } as const
  const totals = { bytes: 0, documents: 0 }
  const count = ({ content, name }: ArchiveFile) => {
    if (name !== MANIFEST) totals.bytes += content.length
    if (name.startsWith(DOCUMENTS)) totals.documents += 1
    return progress(totals.bytes, totals.documents)
  }
  const files = Stream.make<[ArchiveFile]>({ name: MANIFEST, content: Buffer.from(encode(manifest)) }).pipe(
    Stream.concat(databaseFiles(database)),
    Stream.concat(Stream.map(documents, ({ content, key }): ArchiveFile => ({ name: `${DOCUMENTS}${key}`, content })))
  )
  const bytes = files.pipe(
    Stream.tap(count),
    Stream.flatMap((file) => Stream.fromIterable(encodeTarEntry(file, Math.floor(createdAtMs / 1_000)))),
    Stream.concat(Stream.make(tarEnd))
  )
  const name = `${new Date(createdAtMs).toISOString().replaceAll(":", "-")}${SUFFIX}`
  const isNew = yield* target.write(BACKUPS + name, yield* encrypt(recipient, bytes))
  if (!isNew)
    return yield* new BackupFailed({
      reason: `A backup ${name} already exists. Run the command again: the name contains the time.`
    })
  return { name, ...totals }
})

/** Lists the names of the backups at a target, latest first. */
export const listBackups = (target: BackupTarget) =>
  Effect.map(target.list(BACKUPS), (names) =>
    names
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => name.slice(BACKUPS.length))
      .toReversed()
  )

export const pathOf = (name: string): string => BACKUPS + name
