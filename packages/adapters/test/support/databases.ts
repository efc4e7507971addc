import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import pg from "pg"
import { afterAll } from "vitest"
import { layerPostgres, layerSqlite } from "../../src/storage/kysely/index.ts"
import { postgresUrl } from "./temporaryPostgres.ts"

const administer = (statement: string) =>
  Effect.promise(async () => {
    const client = new pg.Client(await postgresUrl())
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  })

/** The URL of a new, empty Postgres database, which is dropped with the scope. */
export const temporaryDatabase = Effect.map(
  Effect.acquireRelease(
    Effect.gen(function* () {
      const name = `test_${randomUUID().replaceAll("-", "")}`
      yield* administer(`create database ${name}`)
      return { name, server: yield* Effect.promise(postgresUrl) }
    }),
    ({ name }) => administer(`drop database ${name} with (force)`)
  ),
  ({ name, server }) => {
    const url = new URL(server)
    url.pathname = `/${name}`
    return Redacted.make(url.toString())
  }
)

/** A path for a new SQLite file, which is deleted with the scope. */
export const temporaryFile = Effect.acquireRelease(
  Effect.sync(() => join(mkdtempSync(join(tmpdir(), "sqlite-")), "test.db")),
  (file) => Effect.sync(() => rmSync(dirname(file), { recursive: true, force: true }))
)

export const layerTemporaryPostgres = Layer.unwrap(Effect.map(temporaryDatabase, (url) => layerPostgres({ url })))

export const layerTemporarySqlite = Layer.unwrap(Effect.map(temporaryFile, layerSqlite))

/** The layer, built at its first use and shared by every suite of the file. */
export const once = <A, E>(layer: Layer.Layer<A, E>): Layer.Layer<A, E> => {
  const runtime = ManagedRuntime.make(layer)
  afterAll(() => runtime.dispose())
  return Layer.effectContext(runtime.contextEffect)
}
