import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import { temporaryDatabase, temporaryFile } from "../../test/support/databases.ts"
import { Db, layerPostgresDb, layerSqliteDb, migrate } from "./index.ts"
import { migrations } from "./migrations/index.ts"

const upTo = (name: string) => migrations.filter((migration) => migration.name <= name)

const tellsTwinsApart = Effect.gen(function* () {
  const db = yield* Db
  yield* migrate(upTo("0013_operations_of_any_project"))
  const long = "n".repeat(100)
  const projects = [
    ["aaaaaaaa-0", "Shop", 2],
    ["bbbbbbbb-0", "Shop", 1],
    ["cccccccc-0", "Shop", 2],
    ["dddddddd-0", "Other", 3],
    ["eeeeeeee-0", long, 4],
    ["ffffffff-0", long, 5]
  ] as const
  for (const [id, name, at] of projects) {
    yield* db.run(sql`insert into projects (id, organization_id, name, created_at) values (${id}, 'o', ${name}, ${at})`)
  }
  yield* migrate(upTo("0014_project_names"))
  const rows = yield* db.all(sql<{ readonly name: string }>`select name from projects order by id`)
  assert.deepStrictEqual(
    rows.map(({ name }) => name),
    ["Shop (aaaaaaaa)", "Shop", "Shop (cccccccc)", "Other", long, `${"n".repeat(88)} (ffffffff)`]
  )
})

describe("0014_project_names lets the oldest project of a name keep it", () => {
  it.effect("on SQLite", () =>
    Effect.flatMap(temporaryFile, (file) => Effect.provide(tellsTwinsApart, Layer.fresh(layerSqliteDb(file))))
  )
  it.effect("on Postgres", () =>
    Effect.flatMap(temporaryDatabase, (url) => Effect.provide(tellsTwinsApart, Layer.fresh(layerPostgresDb({ url }))))
  )
})
