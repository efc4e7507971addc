import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import pg from "pg"
import { afterAll } from "vitest"
import { layerPostgres, layerSqlite } from "../../src/storage/kysely/index.ts"
import { postgresUrl } from "./temporaryPostgres.ts"

const runAsAdmin = (statement: string) =>
  Effect.promise(async () => {
    const client = new pg.Client(await postgresUrl())
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  })

const databaseUrlOf = Effect.fnUntraced(function* (name: string) {
  const url = new URL(yield* Effect.promise(postgresUrl))
  url.pathname = `/${name}`
  return Redacted.make(url.toString())
})

const createDatabase = (template: string) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const name = `test_${randomUUID().replaceAll("-", "")}`
      yield* runAsAdmin(`create database ${name} template ${template}`)
      return name
    }),
    (name) => runAsAdmin(`drop database ${name} with (force)`)
  )

/** Creates a new, empty Postgres database and returns its URL. The database is dropped with the scope. */
export const temporaryDatabase = Effect.flatMap(createDatabase("template1"), databaseUrlOf)

let migratedTemplate: Promise<string> | undefined

/**
 * Like `temporaryDatabase`, but with the tables of the service. The migrations run once in this process, and their
 * result is copied.
 */
export const migratedDatabase = Effect.gen(function* () {
  migratedTemplate ??= Effect.runPromise(
    Effect.gen(function* () {
      const name = `template_${randomUUID().replaceAll("-", "")}`
      yield* runAsAdmin(`create database ${name}`)
      yield* Effect.scoped(Layer.build(Layer.fresh(layerPostgres({ url: yield* databaseUrlOf(name) }))))
      return name
    })
  )
  const name = yield* Effect.promise(() => migratedTemplate!)
  return yield* Effect.flatMap(createDatabase(name), databaseUrlOf)
})

/** Returns a path for a new SQLite file. The file is deleted with the scope. */
export const temporaryFile = Effect.acquireRelease(
  Effect.sync(() => join(mkdtempSync(join(tmpdir(), "sqlite-")), "test.db")),
  (file) => Effect.sync(() => rmSync(dirname(file), { recursive: true, force: true }))
)

export const layerTemporaryPostgres = Layer.unwrap(Effect.map(migratedDatabase, (url) => layerPostgres({ url })))

export const layerTemporarySqlite = Layer.unwrap(Effect.map(temporaryFile, layerSqlite))

/** Returns a layer that is built when it is first used. All suites of the file share it. */
export const sharedLayer = <A, E>(layer: Layer.Layer<A, E>): Layer.Layer<A, E> => {
  const runtime = ManagedRuntime.make(layer)
  afterAll(() => runtime.dispose())
  return Layer.effectContext(runtime.contextEffect)
}
