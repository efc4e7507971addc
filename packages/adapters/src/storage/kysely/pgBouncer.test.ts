import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { dbSuite } from "../../../test/kysely/dbSuite.ts"
import { migrateSuite } from "../../../test/kysely/migrateSuite.ts"
import { storesSuite } from "../../../test/kysely/storesSuite.ts"
import { sharedLayer } from "../../../test/support/databases.ts"
import { isPgBouncerInstalled, PGBOUNCER, pooledDatabase } from "../../../test/support/pgBouncer.ts"
import { layerPostgres, layerPostgresDb } from "./index.ts"

/** Tests every store on Postgres behind PgBouncer in transaction mode, if the program is installed. */

const options = Effect.map(pooledDatabase, (url) => ({ url, isPgBouncer: true }))

if (isPgBouncerInstalled) {
  const stores = sharedLayer(Layer.unwrap(Effect.map(options, layerPostgres)))
  storesSuite("Postgres behind PgBouncer", stores)
  dbSuite("Postgres behind PgBouncer", stores)
  migrateSuite(
    "Postgres behind PgBouncer",
    Effect.map(options, (each) => Effect.provide(Layer.fresh(layerPostgresDb(each))))
  )
} else {
  describe.skip(`Postgres behind PgBouncer: ${PGBOUNCER} is not installed (Debian: apt-get install pgbouncer)`, () => {
    it("is not tested", () => {})
  })
}
