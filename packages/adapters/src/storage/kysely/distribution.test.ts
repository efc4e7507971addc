import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { sql } from "kysely"
import { layerTemporaryPostgres } from "../../../test/support/databases.ts"
import { Db } from "./Db.ts"
import { type Placement, placements } from "./distribution.ts"

const tableNames = Object.keys(placements) as ReadonlyArray<keyof typeof placements>
const tablesWithPlacement = (placement: Placement) => tableNames.filter((table) => placements[table] === placement)
const placementOf = (table: string): Placement => placements[table as keyof typeof placements]

const columnsOf = (key: string) => sql`(
  select json_agg(attname order by position)
  from unnest(${sql.raw(key)}) with ordinality as part (number, position)
  join pg_attribute on attrelid = ${sql.raw(key.slice(0, key.indexOf(".")))}.table_id and attnum = number)::text`

interface UniqueIndex {
  readonly table: string
  readonly name: string
  readonly columns: string
}

interface ForeignKey {
  readonly table: string
  readonly target: string
  readonly columns: string
  readonly targetColumns: string
  readonly onDelete: string
  readonly onUpdate: string
}

const uniqueIndexes = sql<UniqueIndex>`
  with key as (
    select indrelid as table_id, indexrelid::regclass::text as name, string_to_array(indkey::text, ' ')::int[] as columns
    from pg_index where indisunique and indrelid::regclass::text = any (${tableNames}))
  select table_id::regclass::text as table, name, ${columnsOf("key.columns")} as columns from key order by 1, 2`

const foreignKeys = sql<ForeignKey>`
  with own as (
    select oid, conrelid as table_id, conkey as columns, confdeltype, confupdtype from pg_constraint where contype = 'f'
  ), target as (select oid, confrelid as table_id, confkey as columns from pg_constraint where contype = 'f')
  select own.table_id::regclass::text as table, target.table_id::regclass::text as target,
    ${columnsOf("own.columns")} as columns, ${columnsOf("target.columns")} as "targetColumns",
    confdeltype as "onDelete", confupdtype as "onUpdate"
  from own join target on own.oid = target.oid order by 1, 2`

const parseColumns = (columns: string): ReadonlyArray<string> => JSON.parse(columns)

/**
 * Checks the rules of https://docs.citusdata.com/en/stable/develop/reference_ddl.html and .../reference_sql.html,
 * because Citus itself is not installed.
 */
layer(layerTemporaryPostgres)("the Postgres schema, distributed by project", (it) => {
  it.effect("places exactly the tables that exist", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const tables = yield* db.all<{ name: string }>(
        sql`select relname as name from pg_class
          where relkind in ('r', 'p', 'f') and relnamespace = 'public'::regnamespace`
      )
      assert.sameMembers(
        tables.map(({ name }) => name),
        [...tableNames]
      )
    })
  )

  it.effect("starts every primary and unique key of a distributed table with a project that is never null", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const indexes = (yield* db.all(uniqueIndexes)).filter(({ table }) => placementOf(table) === "distributed")
      const undistributedIndexes = indexes.filter(({ columns }) => parseColumns(columns)[0] !== "project_id")
      assert.deepStrictEqual(undistributedIndexes, [])
      assert.sameMembers([...new Set(indexes.map(({ table }) => table))], tablesWithPlacement("distributed"))
      const nullable = yield* db.all(
        sql`select attrelid::regclass::text as table from pg_attribute
          where attname = 'project_id' and not attnotnull and attrelid::regclass::text = any (${tablesWithPlacement("distributed")})`
      )
      assert.deepStrictEqual(nullable, [])
    })
  )

  it.effect("has only foreign keys that Citus accepts, with the project first on both sides", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const keys = yield* db.all(foreignKeys)
      assert.isAbove(keys.length, 10)
      const unsupportedKeys = keys.filter(({ columns, onDelete, onUpdate, table, target, targetColumns }) => {
        const [from, to] = [placementOf(table), placementOf(target)]
        if (from !== "distributed") return to === "distributed" || (from === "reference" && to === "local")
        if (to === "reference") return false
        const isAligned = parseColumns(columns)[0] === "project_id" && parseColumns(targetColumns)[0] === "project_id"
        // A referential action must not set the distribution column.
        const isChanging = /[nd]/u.test(onDelete) || /[cnd]/u.test(onUpdate)
        return to === "local" || !isAligned || isChanging
      })
      assert.deepStrictEqual(unsupportedKeys, [])
    })
  )

  it.effect("lists referenced tables before the tables that reference them", () =>
    Effect.gen(function* () {
      const keys = yield* Effect.flatMap(Db, (db) => db.all(foreignKeys))
      const indexOfTable = (table: string) => (tableNames as ReadonlyArray<string>).indexOf(table)
      assert.deepStrictEqual(
        keys.filter(({ table, target }) => table !== target && indexOfTable(table) <= indexOfTable(target)),
        []
      )
    })
  )

  it.effect("has no trigger, exclusion constraint, inherited, generated or serial column in a distributed table", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const distributedTables = tablesWithPlacement("distributed")
      const foundObjects = yield* db.all(sql`
        select tgname as name from pg_trigger where not tgisinternal and tgrelid::regclass::text = any (${distributedTables})
        union all select conname from pg_constraint
          where contype = 'x' and conrelid::regclass::text = any (${distributedTables})
        union all select inhrelid::regclass::text from pg_inherits where inhrelid::regclass::text = any (${distributedTables})
        union all select attname from pg_attribute
          where (attidentity <> '' or attgenerated <> '') and attrelid::regclass::text = any (${distributedTables})
        union all select relname from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace`)
      assert.deepStrictEqual(foundObjects, [])
    })
  )

  it("is documented, with the statements that distribute it", () => {
    const docs = readFileSync(join(import.meta.dirname, "../../../../../docs/scale.md"), "utf8")
    const documentedStatements = docs.match(/^SELECT create_.*;$/gmu) ?? []
    assert.deepStrictEqual(documentedStatements, [
      ...tablesWithPlacement("reference").map((table) => `SELECT create_reference_table('${table}');`),
      ...tablesWithPlacement("distributed").map((table) => `SELECT create_distributed_table('${table}', 'project_id');`)
    ])
  })
})
