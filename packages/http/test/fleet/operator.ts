import { join } from "node:path"
import { type Database, layerPostgres, layerSqlite } from "@countersign/adapters/kysely"
import { NodeEntropy } from "@countersign/adapters/node"
import type { Address } from "@countersign/core/primitives"
import { Projects, scopes } from "@countersign/core/projects"
import { Effect, Layer, Redacted } from "effect"
import type { ServerPlace } from "./ServerPlace.ts"

/** The servers' database as their operator's command line has it, beside them. */
export const layerOperator = ({ database, home }: ServerPlace) => {
  const stores: Layer.Layer<Database> = Layer.orDie(
    database._tag === "Sqlite"
      ? layerSqlite(join(home, "countersign.db"))
      : layerPostgres({ url: Redacted.make(database.url), connectionsMax: 2 })
  )
  return Projects.layer.pipe(Layer.provideMerge(Layer.merge(stores, NodeEntropy.layer)))
}

/** The text of a key of a new project, which may do everything. */
export const newKey = Effect.fnUntraced(function* (treasury: Address) {
  const projects = yield* Projects
  const project = yield* projects.create("kill test", treasury)
  const { text } = yield* projects.createKey(project.id, { name: "all", environment: "test", scopes, expiresAt: null })
  return text
})
