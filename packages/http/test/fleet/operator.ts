import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { NodeEntropy } from "@countersign/adapters/service/node"
import { type Database, layerPostgres, layerSqlite } from "@countersign/adapters/storage/kysely"
import type { Address } from "@countersign/core/foundation/primitives"
import { Projects, scopes } from "@countersign/core/tenancy/projects"
import { Effect, Layer, Redacted } from "effect"
import type { ServerAssignment } from "./ServerAssignment.ts"

/** Provides `Projects` and the stores on the servers' database. */
export const layerOperator = ({ database, home }: ServerAssignment) => {
  const stores: Layer.Layer<Database> = Layer.orDie(
    database._tag === "Sqlite"
      ? layerSqlite(join(home, "countersign.db"))
      : layerPostgres({ ...database, url: Redacted.make(database.url), connectionsMax: 2 })
  )
  return Projects.layer.pipe(Layer.provideMerge(Layer.merge(stores, NodeEntropy.layer)))
}

/** Creates a project, and a key with all scopes. */
export const newProject = Effect.fnUntraced(function* (treasury: Address | null) {
  const projects = yield* Projects
  const { id } = yield* projects.create(`fleet ${randomUUID()}`, treasury)
  const { key, text } = yield* projects.createKey(id, { name: "all", environment: "test", scopes, expiresAt: null })
  return { id, keyId: key.id, apiKey: text }
})

/** Creates a project, and returns an API key with all scopes. */
export const createApiKey = (treasury: Address) => Effect.map(newProject(treasury), ({ apiKey }) => apiKey)
