import { readFileSync, statSync } from "node:fs"
import type { UpstreamUnavailable } from "@countersign/core/errors"
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect, Fiber } from "effect"
import { sql } from "kysely"
import { untilEffect } from "../../../core/test/support/untilEffect.ts"
import { temporaryFile } from "../../test/support/databases.ts"
import { Db } from "./Db.ts"
import { layerSqlite } from "./index.ts"
import { ERASED_FROM, purgeErased } from "./purgeErased.ts"

const SESSIONS = 2_000

const nameOf = (nth: number) => `person-${String(nth).padStart(6, "0")};`

/** The sessions of which a file of the database has any piece of what was sealed. */
const sessionsIn = (file: string): ReadonlySet<string> =>
  new Set([file, `${file}-wal`].flatMap((path) => readFileSync(path, "latin1").match(/person-\d{6};/gu) ?? []))

/** Runs a test on a database in a file of its own. */
const onFile = (
  test: (database: { readonly db: Db["Service"]; readonly file: string }) => Effect.Effect<void, UpstreamUnavailable>
) =>
  Effect.flatMap(temporaryFile, (file) =>
    Effect.provide(
      Db.use((db) => test({ db, file })),
      layerSqlite(file)
    )
  ).pipe(Effect.scoped)

describe("purgeErased on SQLite", () => {
  it.live("removes the copies that SQLite leaves in pages when it moves rows", () =>
    onFile(({ db, file }) =>
      Effect.gen(function* () {
        // The same sizes and order in each run.
        let state = 7
        const below = (bound: number) => {
          state = (state * 48_271) % 2_147_483_647
          return state % bound
        }
        yield* db.transaction(
          Effect.forEach(Array.from({ length: SESSIONS }), (_, nth) =>
            db.run(
              sql`insert into verification_sessions values (${`kyc_${below(2_000_000_000)}_${nth}`}, 'p', 'individual', ${`ind_${nth}`},
                'PENDING', 'BRAZIL', '[]', '[]', null, '{}', 1, 1, 1, ${nameOf(nth).repeat(40 + below(90))}, 0)`
            )
          )
        )
        for (let change = 0; change < 3 * SESSIONS; change += 1) {
          const reason = "x".repeat(below(1_500))
          yield* db.run(
            sql`update verification_sessions set reason = ${reason} where identity_id = ${`ind_${below(SESSIONS)}`} and project_id = 'p'`
          )
        }
        yield* db.run(sql`update verification_sessions set sealed = '', reason = null where rowid % 3 <> 0`)
        yield* db.all(sql`pragma wal_checkpoint(truncate)`)
        const kept = Array.from({ length: SESSIONS }, (_, nth) => nth).filter((nth) => (nth + 1) % 3 === 0)
        assert.isAbove(sessionsIn(file).size, kept.length)
        yield* purgeErased(db)
        assert.deepStrictEqual([...sessionsIn(file)].toSorted(), kept.map(nameOf))
        const rows = yield* db.all<{ readonly sealed: string }>(sql`select sealed from verification_sessions`)
        assert.lengthOf(rows, SESSIONS)
        assert.lengthOf(
          rows.filter(({ sealed }) => sealed !== ""),
          kept.length
        )
      })
    )
  )

  it.live("keeps the rows that are deleted along with those it rewrites", () =>
    onFile(({ db }) =>
      Effect.gen(function* () {
        yield* db.run(
          sql`insert into verification_sessions values ('kyb_1', 'p', 'business', 'ind_1', 'PENDING', 'BRAZIL', '[]', '[]', null, '{}', 1, 1, 1, '', 0)`
        )
        yield* db.run(sql`insert into verification_part_reviews values ('kyb_1', 'own_1', 7), ('kyb_1', 'own_2', 8)`)
        yield* purgeErased(db)
        const parts = yield* db.all<{ readonly part: string }>(sql`select part from verification_part_reviews`)
        assert.deepStrictEqual(
          parts.map(({ part }) => part),
          ["own_1", "own_2"]
        )
      })
    )
  )

  it.live("knows every table whose rows are deleted along with those it rewrites", () =>
    onFile(({ db }) =>
      Effect.gen(function* () {
        const references = yield* db.all<{ readonly child: string; readonly parent: string }>(
          sql`select m.name as child, f."table" as parent from sqlite_schema m, pragma_foreign_key_list(m.name) f where m.type = 'table'`
        )
        for (const [table, dependents] of Object.entries(ERASED_FROM)) {
          const children = references.filter(({ parent }) => parent === table).map(({ child }) => child)
          assert.deepStrictEqual(children, [...dependents])
          for (const child of dependents) assert.isFalse(references.some(({ parent }) => parent === child))
        }
      })
    )
  )

  it.live("empties the write-ahead log once another process has ended its reading", () =>
    onFile(({ db, file }) =>
      Effect.gen(function* () {
        yield* db.run(sql`insert into subject_keys values ('ind_1', 'a key'), ('ind_2', 'another key')`)
        const other = new Database(file, { readonly: true })
        other.exec("begin")
        other.prepare("select count(*) from subject_keys").get()
        yield* db.run(sql`delete from subject_keys where id = 'ind_1'`)
        const purge = yield* Effect.forkChild(purgeErased(db))
        // The tables are rewritten, and the log has what they were.
        yield* untilEffect(
          db.all(sql`select name from sqlite_schema where name like 'purged_%'`),
          (rows) => rows.length === 0 && statSync(`${file}-wal`).size > 0
        )
        assert.isUndefined(purge.pollUnsafe())
        other.close()
        yield* Fiber.join(purge)
        assert.strictEqual(statSync(`${file}-wal`).size, 0)
        assert.notInclude(readFileSync(file, "latin1"), "ind_1")
      })
    )
  )
})
