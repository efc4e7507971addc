import { execFileSync, spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { ProjectStore } from "@countersign/core/tenancy/projects"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Decrypter } from "age-encryption"
import Database from "better-sqlite3"
import { Effect, Option, Redacted, Stream } from "effect"
import { aProject } from "../../../../core/src/tenancy/projects/Project.fixture.ts"
import { S3_REGION, type S3Emulator, s3Keys, startS3Emulator } from "../../../test/identity/S3Emulator.ts"
import { folderStore } from "../../identity/folderStore.ts"
import { layerSqlite, snapshotSqlite } from "../kysely/index.ts"
import {
  BackupFailed,
  type BackupTarget,
  backupTargetOf,
  createBackup,
  listBackups,
  newBackupKey,
  restoreBackup,
  sqliteDump,
  verifyBackup
} from "./index.ts"

const home = mkdtempSync(join(tmpdir(), "countersign-backup-"))
let s3: S3Emulator

beforeAll(async () => {
  s3 = await startS3Emulator()
})
afterAll(async () => {
  await s3.stop()
  rmSync(home, { recursive: true, force: true })
})

const newFolder = (): string => join(home, randomUUID())

/** Larger than one part of an S3 multipart upload. */
const LARGE = Buffer.alloc(40 * 1_048_576, "large ")
/**
 * Larger than one file of the archive and one chunk of the age file. Encryption takes most of the time of these tests.
 */
const MEDIUM = Buffer.alloc(10 * 1_048_576, "medium ")

const targets: ReadonlyArray<readonly [name: string, newTarget: () => BackupTarget, content: Buffer<ArrayBuffer>]> = [
  ["a folder", () => backupTargetOf({ _tag: "Folder", folder: newFolder() }), MEDIUM],
  [
    "a bucket of S3",
    () =>
      backupTargetOf({
        _tag: "S3",
        url: `${s3.url}/${randomUUID()}`,
        region: S3_REGION,
        accessKeyId: s3Keys.accessKeyId,
        secretAccessKey: Redacted.make(s3Keys.secretAccessKey)
      }),
    LARGE
  ]
]

const ignoreProgress = () => Effect.void
const documents = [
  { key: "kyc_1/front", content: Buffer.from("sealed front") },
  {
    key: `kyb_${"2".repeat(32)}/own_${"3".repeat(32)}/${"a".repeat(40)}`,
    content: Buffer.from("sealed with a long key")
  },
  { key: "kyc_1/back", content: Buffer.alloc(3_000_000, 7) }
]

/** Creates a database with one project, and with more bytes than one part. */
const newDatabase = (bytes = LARGE) =>
  Effect.gen(function* () {
    const filename = join(newFolder(), "countersign.db")
    const project = aProject()
    yield* ProjectStore.use((store) => store.insert(project)).pipe(Effect.provide(layerSqlite(filename)))
    const database = new Database(filename)
    database.exec("create table ballast (content blob)")
    database.prepare("insert into ballast values (?)").run(bytes)
    database.close()
    return { filename, project }
  })

const snapshotsBeside = (filename: string) => readdirSync(dirname(filename)).filter((name) => name.includes("snapshot"))

const create = (filename: string, target: BackupTarget, recipient: string) =>
  createBackup(
    { database: sqliteDump(filename), documents: Stream.fromIterable(documents) },
    target,
    recipient,
    ignoreProgress
  )

const restoreTo = (target: BackupTarget, identity: string, folder: string) =>
  restoreBackup(
    target,
    null,
    Redacted.make(identity),
    {
      database: sqliteDump(join(folder, "countersign.db")),
      store: folderStore(join(folder, "documents")),
      folder: join(folder, "documents")
    },
    ignoreProgress,
    () => Effect.void
  )

const verify = (target: BackupTarget, identity: string) =>
  verifyBackup(target, null, Redacted.make(identity), newFolder(), ignoreProgress)

describe.each(targets)("a backup of SQLite and documents in %s", (_, targetOf, content) => {
  it.live("is verified and restored to an empty folder", () =>
    Effect.gen(function* () {
      const [target, { identity, recipient }] = [targetOf(), yield* newBackupKey]
      const { filename, project } = yield* newDatabase(content)
      const backup = yield* create(filename, target, recipient)
      assert.strictEqual(backup.documents, documents.length)
      assert.deepStrictEqual(yield* listBackups(target), [backup.name])
      const verifiedBackup = yield* verify(target, identity)
      assert.deepInclude(verifiedBackup, { ...backup, database: "sqlite" })

      const folder = newFolder()
      yield* restoreTo(target, identity, folder)
      for (const { content, key } of documents) {
        const storedContent = yield* folderStore(join(folder, "documents")).read(key)
        assert.isTrue(content.equals(storedContent!), key)
      }
      const restoredFile = join(folder, "countersign.db")
      assert.strictEqual(statSync(restoredFile).mode & 0o777, 0o600)
      assert.sameMembers(readdirSync(folder), ["countersign.db", "documents"])
      const restoredProject = yield* ProjectStore.use((store) => store.find(project.id)).pipe(
        Effect.provide(layerSqlite(restoredFile))
      )
      assert.deepStrictEqual(Option.getOrNull(restoredProject), project)
      // No temporary file remains in the folder of the source.
      assert.deepStrictEqual(snapshotsBeside(filename), [])
    })
  )

  it.live("is not restored over an existing database", () =>
    Effect.gen(function* () {
      const [target, { identity, recipient }] = [targetOf(), yield* newBackupKey]
      const { filename } = yield* newDatabase(Buffer.from("small"))
      yield* create(filename, target, recipient)
      const contentBefore = readFileSync(filename)
      const error = yield* Effect.flip(restoreTo(target, identity, join(filename, "..")))
      assert.match(
        error.message,
        /^A database .*countersign\.db already exists\. Stop the service, move the file away/u
      )
      assert.isTrue(contentBefore.equals(readFileSync(filename)))
    })
  )

  it.live("can be decrypted only with its own key", () =>
    Effect.gen(function* () {
      const [target, own, other] = [targetOf(), yield* newBackupKey, yield* newBackupKey]
      const { filename } = yield* newDatabase(Buffer.from("small"))
      yield* create(filename, target, own.recipient)
      const error = yield* Effect.flip(verify(target, other.identity))
      assert.match(error.message, /can't be decrypted: .*BACKUP_IDENTITY is not the key for it/u)
    })
  )

  it.live("reports that a target has no backup", () =>
    Effect.gen(function* () {
      const { identity } = yield* newBackupKey
      const error = yield* Effect.flip(verify(targetOf(), identity))
      assert.instanceOf(error, BackupFailed)
    })
  )
})

describe("a backup in a folder", () => {
  const makeBackup = Effect.fnUntraced(function* () {
    const folder = newFolder()
    const target = backupTargetOf({ _tag: "Folder", folder })
    const key = yield* newBackupKey
    const { filename } = yield* newDatabase(MEDIUM)
    const { name } = yield* create(filename, target, key.recipient)
    return { ...key, file: join(folder, "backups", name), filename, folder, target }
  })

  it.effect("is a tar archive in an age file, with the database in parts", () =>
    Effect.gen(function* () {
      const { file, identity } = yield* makeBackup()
      const decrypter = new Decrypter()
      decrypter.addIdentity(identity)
      const archive = yield* Effect.promise(() => decrypter.decrypt(new Uint8Array(readFileSync(file))))
      const folder = mkdtempSync(join(home, "tar-"))
      execFileSync("tar", ["-xf", "-", "-C", folder], { input: archive })
      const parts = readdirSync(join(folder, "database")).toSorted()
      assert.isAbove(parts.length, 1)
      const databaseFile = join(folder, "whole.db")
      writeFileSync(databaseFile, Buffer.concat(parts.map((part) => readFileSync(join(folder, "database", part)))))
      const database = new Database(databaseFile, { readonly: true })
      assert.strictEqual(database.pragma("integrity_check", { simple: true }), "ok")
      database.close()
      for (const { content, key } of documents)
        assert.isTrue(content.equals(readFileSync(join(folder, "documents", key))))
    })
  )

  it.effect("is reported as damaged if any byte differs or the file is truncated", () =>
    Effect.gen(function* () {
      const { file, identity, target } = yield* makeBackup()
      const backupBytes = readFileSync(file)
      for (const offset of [30, 300, 100_000, backupBytes.length >> 1, backupBytes.length - 1]) {
        const changedBytes = Buffer.from(backupBytes)
        changedBytes[offset]! ^= 1
        writeFileSync(file, changedBytes)
        assert.instanceOf(yield* Effect.flip(verify(target, identity)), BackupFailed, String(offset))
      }
      // One of the lengths ends exactly after an age chunk: the header and 16 chunks of 64 KiB with their tags.
      for (const length of [0, 100, backupBytes.length - 1, backupBytes.length - (backupBytes.length % 65_552)]) {
        writeFileSync(file, backupBytes)
        truncateSync(file, length)
        assert.instanceOf(yield* Effect.flip(verify(target, identity)), BackupFailed, String(length))
      }
      writeFileSync(file, backupBytes)
      yield* verify(target, identity)
    })
  )

  it.effect("that is damaged is not restored, and leaves no database", () =>
    Effect.gen(function* () {
      const { file, identity, target } = yield* makeBackup()
      truncateSync(file, statSync(file).size - 1)
      const folder = newFolder()
      assert.instanceOf(yield* Effect.flip(restoreTo(target, identity, folder)), BackupFailed)
      assert.isFalse(existsSync(join(folder, "countersign.db")))
      assert.deepStrictEqual(
        readdirSync(folder).filter((name) => name.startsWith("countersign")),
        []
      )
    })
  )
})

/** A separate file system, which only root can mount. */
const disk = mkdtempSync(join(tmpdir(), "countersign-disk-"))
const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=32m", "tmpfs", disk]).status === 0
afterAll(() => {
  if (isMounted) spawnSync("umount", ["-l", disk])
  rmSync(disk, { recursive: true, force: true })
})

describe("a backup of SQLite", () => {
  it.effect("does not delete a file in the database's folder that an operator has created", () =>
    Effect.gen(function* () {
      const target = backupTargetOf({ _tag: "Folder", folder: newFolder() })
      const { recipient } = yield* newBackupKey
      const { filename } = yield* newDatabase(Buffer.from("small"))
      const copies = ["backup", "snapshot-2026", "snapshot"].map((name) => `${filename}.${name}`)
      for (const copy of copies) writeFileSync(copy, "an operator's copy")
      yield* create(filename, target, recipient)
      for (const copy of copies) assert.strictEqual(readFileSync(copy, "utf8"), "an operator's copy")
    })
  )
})

describe("a backup that fails", () => {
  it.effect("because its process is killed does not make the next one fail", () =>
    Effect.gen(function* () {
      const target = backupTargetOf({ _tag: "Folder", folder: newFolder() })
      const { identity, recipient } = yield* newBackupKey
      const { filename } = yield* newDatabase(Buffer.from("small"))
      snapshotSqlite(filename, `${filename}.snapshot-${randomUUID()}`)
      yield* create(filename, target, recipient)
      yield* verify(target, identity)
      assert.deepStrictEqual(snapshotsBeside(filename), [])
    })
  )

  it.effect.skipIf(!isMounted)("because the disk is full leaves the earlier backup unchanged", () =>
    Effect.gen(function* () {
      const target = backupTargetOf({ _tag: "Folder", folder: disk })
      const { identity, recipient } = yield* newBackupKey
      const small = yield* newDatabase(Buffer.from("small"))
      const first = yield* create(small.filename, target, recipient)
      const free = () => statfsSync(disk).bavail
      const freeBefore = free()
      const { filename } = yield* newDatabase()
      const error = yield* Effect.flip(create(filename, target, recipient))
      assert.match(error.message, /^Can't write in the folder .*: the disk is full\. Earlier backups are unchanged\./u)
      assert.deepStrictEqual(yield* listBackups(target), [first.name])
      assert.deepStrictEqual(readdirSync(join(disk, "backups")), [first.name])
      assert.strictEqual(free(), freeBefore)
      yield* verify(target, identity)
    })
  )

  it.live("because the bucket fails during the upload leaves the earlier backup, and no parts of the upload", () =>
    Effect.gen(function* () {
      const target = targets[1]![1]()
      const { identity, recipient } = yield* newBackupKey
      const { filename } = yield* newDatabase()
      const first = yield* create(filename, target, recipient)
      s3.state.partsUntilFault = 1
      const error = yield* Effect.flip(create(filename, target, recipient))
      s3.state.partsUntilFault = Number.POSITIVE_INFINITY
      s3.state.fault = null
      assert.match(error.message, /^Can't write to the bucket .*: status 503\. Earlier backups are unchanged\./u)
      assert.deepStrictEqual(yield* listBackups(target), [first.name])
      yield* verify(target, identity)
    })
  )
})
