import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import pg from "pg"
import { waitUntil } from "../../../../core/test/support/until.ts"
import { temporaryDatabase } from "../../../test/support/databases.ts"
import { layerPostgresDb, migrate } from "./index.ts"
import { migrations } from "./migrations/index.ts"

/** Tests a migration while other processes use the database. */

it.live("a migration releases its locks instead of aborting a transaction that uses the same tables", () =>
  Effect.gen(function* () {
    const url = yield* temporaryDatabase
    const runMigrations = (all = migrations) => Effect.provide(migrate(all), layerPostgresDb({ url }))
    yield* runMigrations(migrations.slice(0, 1))
    const client = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const newClient = new pg.Client(Redacted.value(url))
        await newClient.connect()
        return newClient
      }),
      (opened) => Effect.promise(() => opened.end())
    )
    // Locks the tables in the reverse order of the migration.
    yield* Effect.promise(() => client.query("begin; select 1 from wallets"))
    const migration = yield* Effect.forkChild(runMigrations())
    yield* Effect.promise(() =>
      waitUntil(
        async () => (await client.query("select 1 from pg_locks where not granted")).rowCount,
        (waiting) => waiting !== null && waiting > 0
      )
    )
    const { rowCount } = yield* Effect.promise(() => client.query("select 1 from executions, transactions"))
    assert.strictEqual(rowCount, 0)
    yield* Effect.promise(() => client.query("commit"))
    const appliedMigrations = yield* Fiber.join(migration)
    assert.lengthOf(appliedMigrations, migrations.length - 1)
  })
)
