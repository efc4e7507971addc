import { WorkClaims } from "@countersign/core/foundation/work"
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, Schema } from "effect"
import { sql } from "kysely"
import { type Database, Db } from "../../src/storage/kysely/index.ts"

/**
 * Columns that are not claims of workers: the time of a balance reservation, and the 15-second lock of an idempotent
 * request.
 */
const UNCLAIMED_COLUMNS = ["executions.reserved_until", "idempotent_requests.locked_until"]

const Column = Schema.Struct({ table: Schema.String, column: Schema.String, type: Schema.String })
type Column = typeof Column.Type
const toColumns = Schema.decodeUnknownSync(Schema.Array(Column))

/** Returns the columns of all tables. */
export const columns = Effect.gen(function* () {
  const db = yield* Db
  const rows = yield* db.all(
    db.dialect === "sqlite"
      ? sql`select master.name as "table", info.name as "column", info.type as "type"
          from sqlite_master master, pragma_table_info(master.name) info where master.type = 'table' order by 1, 2`
      : sql`select table_name as "table", column_name as "column", data_type as "type"
          from information_schema.columns where table_schema = 'public' order by 1, 2`
  )
  return toColumns(rows)
})

/** Returns a value for a column of a row whose lease ends long after the test. */
const claimedValue = ({ column, type }: Column): unknown => {
  if (column === "status") return "VERIFYING"
  if (column.endsWith("_until")) return 9e12
  return type.toLowerCase().includes("int") ? 1 : "dead"
}

const isLease = ({ column, table }: Column): boolean =>
  column.endsWith("_until") && !UNCLAIMED_COLUMNS.includes(`${table}.${column}`)

/** Checks that all claims end when the only process of a database starts. */
export const claimsSuite = <E>(name: string, database: Layer.Layer<Database, E>): void => {
  layer(database)(`Claims on ${name}`, (it) => {
    it.effect("end in every table with a lease", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const allColumns = yield* columns
        const leases = allColumns.filter(isLease)
        assert.isAtLeast(leases.length, 8)
        const heldCounts = Effect.forEach(leases, ({ column, table }) =>
          Effect.map(
            db.all(sql<{ count: number }>`select count(${sql.ref(column)}) as count from ${sql.table(table)}`),
            ([row]) => `${table}: ${row!.count}`
          )
        )
        const counts = yield* Effect.flip(
          db.transaction(
            Effect.gen(function* () {
              // Inserts the row without the endpoints and projects that it references.
              yield* db.run(
                db.dialect === "sqlite"
                  ? sql`pragma defer_foreign_keys = on`
                  : sql`set local session_replication_role = replica`
              )
              for (const { table } of leases) {
                yield* db.run(sql`delete from ${sql.table(table)}`)
                const ownColumns = allColumns.filter((column) => column.table === table)
                yield* db.run(
                  sql`insert into ${sql.table(table)} (${sql.join(ownColumns.map(({ column }) => sql.ref(column)))})
                    values (${sql.join(ownColumns.map(claimedValue))})`
                )
              }
              const previousCounts = yield* heldCounts
              yield* WorkClaims.use(({ releaseAll }) => releaseAll)
              // Fails intentionally, so that the transaction rolls the rows back.
              return yield* Effect.fail({ before: previousCounts, after: yield* heldCounts })
            })
          )
        )
        assert.deepStrictEqual(counts, {
          before: leases.map(({ table }) => `${table}: 1`),
          after: leases.map(({ table }) => `${table}: 0`)
        })
      })
    )
  })
}
