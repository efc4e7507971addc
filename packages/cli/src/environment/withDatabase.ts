import { Effect } from "effect"
import { database } from "./database.ts"

export const kysely = Effect.promise(() => import("@countersign/adapters/storage/kysely"))

/** Runs a command on the database, without running migrations. */
export const withDatabase = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { layerPostgresDb, layerSqliteDb } = yield* kysely
    const { database: databaseSettings } = yield* database
    return yield* Effect.provide(
      command,
      databaseSettings._tag === "Postgres"
        ? layerPostgresDb(databaseSettings)
        : layerSqliteDb(databaseSettings.filename)
    )
  })
