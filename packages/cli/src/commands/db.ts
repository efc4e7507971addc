import { mkdir } from "node:fs/promises"
import { dirname } from "node:path"
import { DateTime, Effect } from "effect"
import { Command } from "effect/cli"
import { settings } from "../environment/connect.ts"
import { jsonFlag, print } from "../output/print.ts"
import { table } from "../output/table.ts"

const kysely = Effect.promise(() => import("@countersign/adapters/kysely"))

const withDatabase = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { layerPostgresDb, layerSqliteDb } = yield* kysely
    const { database } = yield* settings
    if (database._tag === "Postgres") return yield* Effect.provide(command, layerPostgresDb({ url: database.url }))
    yield* Effect.promise(() => mkdir(dirname(database.filename), { recursive: true }))
    return yield* Effect.provide(command, layerSqliteDb(database.filename))
  })

const migrateCommand = Command.make("migrate", { json: jsonFlag }, ({ json }) =>
  withDatabase(
    Effect.gen(function* () {
      const { migrate } = yield* kysely
      const applied = yield* migrate()
      yield* print(json, { applied }, () =>
        applied.length === 0 ? "The database is up to date." : `Applied: ${applied.join(", ")}`
      )
    })
  )
).pipe(Command.withDescription("Bring the database up to date; serving does so by itself"))

const status = Command.make("status", { json: jsonFlag }, ({ json }) =>
  withDatabase(
    Effect.gen(function* () {
      const { migrationStatus } = yield* kysely
      const migrations = yield* migrationStatus
      yield* print(json, migrations, () =>
        table(
          ["MIGRATION", "APPLIED"],
          migrations.map(({ appliedAt, name }) => [name, appliedAt === null ? null : DateTime.formatIso(appliedAt)])
        )
      )
    })
  )
).pipe(Command.withDescription("Show which migrations are applied"))

export const db = Command.make("db").pipe(Command.withSubcommands([migrateCommand, status]))
