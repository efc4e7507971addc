import { MovedClock, NodeEntropy } from "@countersign/adapters/service/node"
import { layerPostgres, layerSqlite } from "@countersign/adapters/storage/kysely"
import { Projects } from "@countersign/core/tenancy/projects"
import { Effect, Layer } from "effect"
import { database } from "./database.ts"

/** Provides the services that projects and their keys require: database, entropy and clock. */
export const provideProjects = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const databaseSettings = yield* database
    const stores =
      databaseSettings.database._tag === "Sqlite"
        ? layerSqlite(databaseSettings.database.filename)
        : layerPostgres({ url: databaseSettings.database.url })
    const services = Projects.layer.pipe(
      Layer.provideMerge(Layer.mergeAll(stores, NodeEntropy.layer)),
      Layer.provideMerge(MovedClock.layer(() => databaseSettings.clockOffsetSeconds))
    )
    return yield* Effect.provide(command, services)
  })
