import { layerPostgres, layerSqlite } from "@countersign/adapters/kysely"
import { MovedClock, NodeEntropy } from "@countersign/adapters/node"
import { Projects } from "@countersign/core/projects"
import { Effect, Layer } from "effect"
import { database } from "./database.ts"

/** Provides what projects and their keys need: the database, chance and the time. */
export const provideProjects = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const found = yield* database
    const stores =
      found.database._tag === "Sqlite"
        ? layerSqlite(found.database.filename)
        : layerPostgres({ url: found.database.url })
    const services = Projects.layer.pipe(
      Layer.provideMerge(Layer.mergeAll(stores, NodeEntropy.layer)),
      Layer.provideMerge(MovedClock.layer(() => found.clockOffsetSeconds))
    )
    return yield* Effect.provide(command, services)
  })
