import { DateTime, Effect } from "effect"
import { Command } from "effect/cli"
import { database } from "../environment/database.ts"
import { jsonFlag, print } from "../output/print.ts"
import { table } from "../output/table.ts"

const kysely = Effect.promise(() => import("@countersign/adapters/kysely"))

const withDatabase = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { layerPostgresDb, layerSqliteDb } = yield* kysely
    const { database: found } = yield* database
    return yield* Effect.provide(
      command,
      found._tag === "Postgres" ? layerPostgresDb({ url: found.url }) : layerSqliteDb(found.filename)
    )
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
