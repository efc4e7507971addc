import { spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ProjectStore } from "@countersign/core/tenancy/projects"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted, Stream } from "effect"
import pg from "pg"
import { aProject } from "../../../../core/src/tenancy/projects/Project.fixture.ts"
import { temporaryDatabase } from "../../../test/support/databases.ts"
import { startPostgres } from "../../../test/support/temporaryPostgres.ts"
import { folderStore } from "../../identity/folderStore.ts"
import { hasTables, layerPostgres, layerPostgresDb } from "../kysely/index.ts"
import {
  BackupFailed,
  backupTargetOf,
  createBackup,
  newBackupKey,
  postgresDump,
  restoreBackup,
  verifyBackup
} from "./index.ts"

/**
 * Tests backups of Postgres by pg_dump and pg_restore, if these programs and a server of the same version are
 * installed.
 */

const major = /(\d+)/u.exec(spawnSync("pg_dump", ["--version"]).stdout?.toString() ?? "")?.[1]
const bin = `/usr/lib/postgresql/${major}/bin`
const isInstalled = major !== undefined && existsSync(join(bin, "postgres"))

const folder = mkdtempSync(join(tmpdir(), "countersign-backup-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const target = backupTargetOf({ _tag: "Folder", folder: join(folder, "target") })
const ignoreProgress = () => Effect.void
const NO_DOCUMENTS = Stream.empty

const create = (url: Redacted.Redacted<string>, recipient: string) =>
  createBackup({ database: postgresDump(url), documents: NO_DOCUMENTS }, target, recipient, ignoreProgress)

describe.skipIf(!isInstalled)("a backup of Postgres", () => {
  let server: Promise<string> | undefined

  const newDatabase = Effect.promise(async () => {
    server ??= startPostgres(bin)
    const client = new pg.Client(await server)
    await client.connect()
    const name = `backup_${randomUUID().replaceAll("-", "")}`
    await client.query(`create database ${name}`)
    await client.end()
    const url = new URL(await server)
    url.pathname = `/${name}`
    return Redacted.make(url.toString())
  })

  const restoreTo = (
    url: Redacted.Redacted<string>,
    identity: string,
    prepare: Effect.Effect<void, BackupFailed> = Effect.void
  ) => {
    const documents = join(folder, "documents")
    const restoreTarget = { database: postgresDump(url), store: folderStore(documents), folder: documents }
    return restoreBackup(target, null, Redacted.make(identity), restoreTarget, ignoreProgress, () => prepare)
  }

  it.live("is verified and restored to an empty database", () =>
    Effect.gen(function* () {
      const [source, empty] = [yield* newDatabase, yield* newDatabase]
      const project = aProject()
      yield* ProjectStore.use((store) => store.insert(project)).pipe(Effect.provide(layerPostgres({ url: source })))
      const { identity, recipient } = yield* newBackupKey
      const backup = yield* create(source, recipient)
      const verifiedBackup = yield* verifyBackup(target, null, Redacted.make(identity), folder, ignoreProgress)
      assert.deepInclude(verifiedBackup, { ...backup, database: "postgres" })
      assert.isFalse(yield* Effect.provide(hasTables, layerPostgresDb({ url: empty })))
      yield* restoreTo(empty, identity)
      assert.isTrue(yield* Effect.provide(hasTables, layerPostgresDb({ url: empty })))
      const restoredProject = yield* ProjectStore.use((store) => store.find(project.id)).pipe(
        Effect.provide(layerPostgres({ url: empty }))
      )
      assert.deepStrictEqual(Option.getOrNull(restoredProject), project)
      // A failed restore changes nothing.
      const error = yield* Effect.flip(restoreTo(empty, identity))
      assert.match(error.message, /^pg_restore failed: .*already exists/su)
    })
  )

  it.live("reports what to do with the database if the erasures can't be repeated", () =>
    Effect.gen(function* () {
      const [source, empty] = [yield* newDatabase, yield* newDatabase]
      yield* ProjectStore.use((store) => store.insert(aProject())).pipe(Effect.provide(layerPostgres({ url: source })))
      const { identity, recipient } = yield* newBackupKey
      yield* create(source, recipient)
      const listFailure = new BackupFailed({ reason: "Can't list files in the folder: it is not there." })
      const error = yield* Effect.flip(restoreTo(empty, identity, Effect.fail(listFailure)))
      assert.match(
        error.message,
        /^Can't list files in the folder: it is not there\. The database backup_\w+ is restored, .* Drop the database, create an empty one, and run/u
      )
    })
  )

  it.live("that is damaged restores nothing", () =>
    Effect.gen(function* () {
      const empty = yield* newDatabase
      const { identity, recipient } = yield* newBackupKey
      const database = { ...postgresDump(empty), read: Stream.make(Buffer.from("PGDMP and nothing that follows")) }
      yield* createBackup({ database, documents: NO_DOCUMENTS }, target, recipient, ignoreProgress)
      const error = yield* Effect.flip(verifyBackup(target, null, Redacted.make(identity), folder, ignoreProgress))
      assert.match(error.message, /^pg_restore failed: /u)
      assert.match((yield* Effect.flip(restoreTo(empty, identity))).message, /^pg_restore failed: /u)
      assert.isFalse(yield* Effect.provide(hasTables, layerPostgresDb({ url: empty })))
    })
  )

  it.live("from a server that is newer than pg_dump fails, with the package to install", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase
      const { recipient } = yield* newBackupKey
      const countBefore = (yield* target.list("")).length
      const exit = yield* Effect.result(create(url, recipient))
      if (exit._tag === "Success") return
      assert.match(exit.failure.message, /server version mismatch.*Install the PostgreSQL client programs/su)
      assert.lengthOf(yield* target.list(""), countBefore)
    })
  )
})

it.live("a backup without pg_dump fails, with the package to install", () =>
  Effect.gen(function* () {
    const path = process.env.PATH
    process.env.PATH = folder
    const { recipient } = yield* newBackupKey
    const error = yield* Effect.flip(create(Redacted.make("postgres://a:secret@127.0.0.1:1/b"), recipient))
    process.env.PATH = path
    assert.match(error.message, /^pg_dump is not installed\. Install the PostgreSQL client programs/u)
  })
)
