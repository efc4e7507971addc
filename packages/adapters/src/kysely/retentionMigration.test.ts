import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { sql } from "kysely"
import { temporaryDatabase, temporaryFile } from "../../test/support/databases.ts"
import { Db, layerPostgresDb, layerSqliteDb, migrate } from "./index.ts"
import { migrations } from "./migrations/index.ts"

const upTo = (name: string) => migrations.filter((migration) => migration.name <= name)

/** The text of a record of that time, as far as the migration looks at it. */
const recordText = (expiresAt: string): string =>
  JSON.stringify({
    // What callers write must neither stop it nor be taken for it.
    metadata: {
      expiresAt: "1999-01-01T00:00:00.000Z",
      transaction: "none",
      note: 'NUL \u0000 "expiresAt":"1999-01-01T00:00:00.000Z","transaction":{"id":'
    },
    expiresAt,
    transaction: { id: "1" }
  })

const readsExpiries = Effect.gen(function* () {
  const db = yield* Db
  yield* migrate(upTo("0005_backlog"))
  const expiries = ["2026-02-28T23:59:59.999Z", "2026-03-01T00:00:00.000Z", "2026-10-25T01:30:00.007Z"]
  for (const [index, expiresAt] of [...expiries, "2026-03-02T00:00:00.000Z"].entries()) {
    const submittedAt = index < expiries.length ? null : 1
    yield* db.run(sql`
      insert into user_operations (hash, project_id, wallet_address, record, submitted_at)
      values (${String(index)}, 'p', 'w', ${recordText(expiresAt)}, ${submittedAt})`)
  }
  yield* migrate(upTo("0006_retention"))
  assert.deepStrictEqual(yield* db.all(sql`select hash, expires_at from user_operations order by hash`), [
    ...expiries.map((expiresAt, index) => ({
      hash: String(index),
      expires_at: DateTime.toEpochMillis(DateTime.makeUnsafe(expiresAt))
    })),
    { hash: String(expiries.length), expires_at: null }
  ])
})

describe("0006_retention reads off the quotes that were there before when they expire", () => {
  it.effect("on SQLite", () =>
    Effect.flatMap(temporaryFile, (file) => Effect.provide(readsExpiries, Layer.fresh(layerSqliteDb(file))))
  )
  it.effect("on Postgres", () =>
    Effect.flatMap(temporaryDatabase, (url) => Effect.provide(readsExpiries, Layer.fresh(layerPostgresDb({ url }))))
  )
})
