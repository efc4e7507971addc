import { anOperation, aSubmission } from "@countersign/core/contracts/user-operations/UserOperationStore"
import { UserOperationStore } from "@countersign/core/user-operations"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { sql } from "kysely"
import { layerTemporaryPostgres, layerTemporarySqlite } from "../../test/support/databases.ts"
import { Db } from "./Db.ts"
import { retention } from "./migrations/0006_retention.ts"
import { columnTypes } from "./migrations/index.ts"

for (const [name, database] of [
  ["SQLite", layerTemporarySqlite],
  ["Postgres", layerTemporaryPostgres]
] as const) {
  layer(database, { timeout: "60 seconds" })(`0006_retention on ${name}`, (it) => {
    it.effect("reads off the quotes that were there before when they expire", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const store = yield* UserOperationStore
        const records = ["2026-02-28T23:59:59.999Z", "2026-03-01T00:00:00.000Z", "2026-10-25T01:30:00.007Z"].map(
          (expiresAt) =>
            anOperation({
              expiresAt: DateTime.makeUnsafe(expiresAt),
              // What callers write must neither stop it nor be taken for it.
              metadata: {
                expiresAt: "1999-01-01T00:00:00.000Z",
                transaction: "none",
                note: 'NUL \u0000 "expiresAt":"1999-01-01T00:00:00.000Z","transaction":{"id":'
              }
            })
        )
        const signed = anOperation()
        yield* Effect.forEach([...records, signed], store.insert)
        yield* store.submit(signed.projectId, signed.hash, aSubmission())
        yield* db.run(db.query.updateTable("user_operations").set({ expires_at: null }))
        const fill = retention.statements(columnTypes[db.dialect]).find((statement) => statement.startsWith("update"))
        yield* db.run(sql.raw(fill!))
        const rows = yield* db.all(
          db.query.selectFrom("user_operations").select(["hash", "expires_at"]).orderBy("hash")
        )
        assert.deepStrictEqual(rows, [
          ...records.map(({ expiresAt, hash }) => ({ hash, expires_at: DateTime.toEpochMillis(expiresAt) })),
          { hash: signed.hash, expires_at: null }
        ])
      })
    )
  })
}
