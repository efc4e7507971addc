import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { sql } from "kysely"
import { DatabaseIsNewer, Db, migrate, migrationStatus } from "../../src/kysely/index.ts"
import { type Migration, migrations } from "../../src/kysely/migrations/index.ts"

const names = migrations.map(({ name }) => name)

/** A new, empty database, and how to connect to it. Each effect is given a connection of its own, as a process is. */
export type EmptyDatabase = Effect.Effect<
  <A, E>(effect: Effect.Effect<A, E, Db>) => Effect.Effect<A, E | SqlError.SqlError>,
  never,
  Scope.Scope
>

/** A migration of two steps of which the second fails. */
const broken: Migration = {
  name: "9999_broken",
  statements: () => ["create table half (id integer)", "create table half (id integer)"]
}

/** What `migrate` promises on every engine. */
export const migrateSuite = (name: string, database: EmptyDatabase): void => {
  describe(`migrate on ${name}`, () => {
    it.effect("brings an empty database up to date, once", () =>
      Effect.gen(function* () {
        const connected = yield* database
        const before = yield* connected(migrationStatus)
        assert.deepStrictEqual(
          before,
          names.map((name) => ({ name, appliedAt: null }))
        )
        assert.deepStrictEqual(yield* connected(migrate()), names)
        assert.deepStrictEqual(yield* connected(migrate()), [])
        const after = yield* connected(migrationStatus)
        assert.isTrue(after.length > 0 && after.every(({ appliedAt }) => appliedAt !== null))
      })
    )

    it.live("lets one of four that start at once do the work", () =>
      Effect.gen(function* () {
        const connected = yield* database
        const done = yield* Effect.all(
          Array.from({ length: 4 }, () => connected(migrate())),
          { concurrency: 4 }
        )
        assert.deepStrictEqual(done.flat(), names)
      })
    )

    it.effect("leaves nothing behind of migrations of which one fails", () =>
      Effect.gen(function* () {
        const connected = yield* database
        const exit = yield* Effect.exit(connected(migrate([...migrations, broken])))
        assert.strictEqual(exit._tag, "Failure")
        const tables = yield* connected(
          Effect.flatMap(Db, (db) =>
            db.all(
              db.dialect === "sqlite"
                ? sql`select name from sqlite_master`
                : sql`select tablename from pg_tables where schemaname = 'public'`
            )
          )
        )
        assert.deepStrictEqual(tables, [])
      })
    )

    it.effect("refuses a database that a later version migrated", () =>
      Effect.gen(function* () {
        const connected = yield* database
        const later: Migration = { name: "9998_later", statements: () => [] }
        yield* connected(migrate([...migrations, later]))
        const error = yield* Effect.flip(connected(migrate()))
        assert.deepStrictEqual(error, new DatabaseIsNewer({ unknown: ["9998_later"] }))
        assert.include(error.message, "9998_later")
        const status = yield* connected(migrationStatus)
        assert.deepStrictEqual(
          status.map(({ name }) => name),
          [...names, "9998_later"]
        )
      })
    )
  })
}
