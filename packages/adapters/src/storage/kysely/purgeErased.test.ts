import { readFileSync, statSync } from "node:fs"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { sql } from "kysely"
import pg from "pg"
import { waitUntilEffect } from "../../../../core/test/support/untilEffect.ts"
import { postgresFileBytes } from "../../../test/kysely/vaultSuite.ts"
import { temporaryDatabase, temporaryFile } from "../../../test/support/databases.ts"
import { Db } from "./Db.ts"
import { layerPostgres, layerSqlite } from "./index.ts"
import * as KyselySubjectKeys from "./KyselySubjectKeys.ts"
import { purgeErased } from "./purgeErased.ts"
import { SubjectKeys } from "./SubjectKeys.ts"
import { SecretKeys, secretKeyOf } from "./secrets/index.ts"

const KEYS = 2_000

const nameOf = (index: number) => `person-${String(index).padStart(6, "0")};`

/** Returns the keys of which a file of the database contains any bytes. */
const keysIn = (file: string): ReadonlySet<string> =>
  new Set([file, `${file}-wal`].flatMap((path) => readFileSync(path, "latin1").match(/person-\d{6};/gu) ?? []))

const secretKeys = Layer.succeed(SecretKeys, [secretKeyOf(Buffer.alloc(32, 7))])

/** Runs a test on a database in its own file. */
const onFile = (
  test: (database: {
    readonly db: Db["Service"]
    readonly keys: SubjectKeys["Service"]
    readonly file: string
  }) => Effect.Effect<void, UpstreamUnavailable>
) =>
  Effect.flatMap(temporaryFile, (file) =>
    Effect.provide(
      Effect.flatMap(Effect.all({ db: Db, keys: SubjectKeys }), (services) => test({ ...services, file })),
      Layer.fresh(KyselySubjectKeys.layer).pipe(Layer.provideMerge(Layer.merge(layerSqlite(file), secretKeys)))
    )
  ).pipe(Effect.scoped)

/** Stores keys in random order and sizes, so that SQLite moves them between its pages. */
const insertInRandomOrder = (db: Db["Service"]) =>
  Effect.gen(function* () {
    let state = 7
    const randomBelow = (bound: number) => {
      state = (state * 48_271) % 2_147_483_647
      return state % bound
    }
    yield* db.transaction(
      Effect.forEach(Array.from({ length: KEYS }), (_, nth) =>
        db.run(sql`insert into subject_keys values (${`ind_${nth}`}, ${nameOf(nth).repeat(4 + randomBelow(9))})`)
      )
    )
    for (let change = 0; change < 3 * KEYS; change += 1) {
      const nth = randomBelow(KEYS)
      yield* db.run(
        sql`update subject_keys set secrets = ${nameOf(nth).repeat(1 + randomBelow(60))} where id = ${`ind_${nth}`}`
      )
    }
  })

const isErased = (index: number) => index % 3 !== 0
const all = Array.from({ length: KEYS }, (_, nth) => nth)
const remainingKeys = all.filter((nth) => !isErased(nth)).map(nameOf)

describe("purgeErased on SQLite", () => {
  it.live("removes the copies that SQLite leaves in pages when it moves rows", () =>
    onFile(({ db, file, keys }) =>
      Effect.gen(function* () {
        yield* insertInRandomOrder(db)
        yield* db.transaction(Effect.forEach(all.filter(isErased), (nth) => keys.erase(`ind_${nth}`)))
        yield* db.all(sql`pragma wal_checkpoint(truncate)`)
        assert.isAbove(keysIn(file).size, remainingKeys.length)
        yield* keys.purge
        assert.deepStrictEqual([...keysIn(file)].toSorted(), remainingKeys)
        const rows = yield* db.all<{ readonly secrets: string }>(sql`select secrets from subject_keys`)
        assert.lengthOf(rows, remainingKeys.length)
        assert.isEmpty(yield* db.all(sql`select id from moved_subject_keys`))
      })
    )
  )

  it.live("does nothing if nothing was erased since the last purge", () =>
    onFile(({ db, keys }) =>
      Effect.gen(function* () {
        yield* insertInRandomOrder(db)
        const changes = () =>
          Effect.map(db.all<{ readonly n: number }>(sql`select total_changes() as n`), ([row]) => row!.n)
        const changesBefore = yield* changes()
        yield* keys.purge
        assert.strictEqual(yield* changes(), changesBefore)
        assert.isFalse(yield* keys.erase("ind_unknown"))
        yield* keys.purge
        assert.strictEqual(yield* changes(), changesBefore)
      })
    )
  )

  it.live("leaves every key readable if it is interrupted, and the next purge completes it", () =>
    onFile(({ db, file, keys }) =>
      Effect.gen(function* () {
        yield* Effect.forEach(all, (nth) => keys.ensure(`own_${nth}`), { discard: true })
        const keyBefore = Redacted.value((yield* keys.find("own_7"))!)
        const [erased] = yield* db.all<{ readonly secrets: string }>(
          sql`select secrets from subject_keys where id = 'own_1'`
        )
        yield* keys.erase("own_1")
        const purge = yield* Effect.forkChild(keys.purge)
        yield* waitUntilEffect(
          db.all<{ readonly n: number }>(sql`select count(*) as n from moved_subject_keys`),
          ([row]) => row!.n > 0
        )
        yield* Fiber.interrupt(purge)
        // Both tables now contain keys.
        for (const nth of [0, 7, KEYS - 1]) assert.isNotNull(yield* keys.find(`own_${nth}`))
        assert.deepStrictEqual(Redacted.value(yield* keys.ensure("own_7")), keyBefore)
        assert.isTrue(yield* keys.erase("own_8"))
        assert.isNull(yield* keys.find("own_8"))
        yield* purgeErased(db)
        assert.isEmpty(yield* db.all(sql`select id from moved_subject_keys`))
        assert.isEmpty(yield* db.all(sql`select id from pending_key_purges`))
        assert.deepStrictEqual(Redacted.value((yield* keys.find("own_7"))!), keyBefore)
        assert.notInclude(readFileSync(file, "latin1"), erased!.secrets.slice(-40))
      })
    )
  )

  it.live("ends if several erasures purge concurrently", () =>
    onFile(({ db, file, keys }) =>
      Effect.gen(function* () {
        yield* insertInRandomOrder(db)
        const erasures = all
          .slice(0, 4)
          .map((nth) => Effect.andThen(keys.erase(`ind_${nth}`), Effect.andThen(Effect.sleep(nth * 10), keys.purge)))
        yield* Effect.all(erasures, { concurrency: "unbounded" })
        assert.isEmpty(yield* db.all(sql`select id from moved_subject_keys`))
        assert.deepStrictEqual([...keysIn(file)].toSorted(), all.slice(4).map(nameOf))
      })
    )
  )

  it.live("empties the write-ahead log once another process has stopped reading", () =>
    onFile(({ db, file, keys }) =>
      Effect.gen(function* () {
        yield* db.run(sql`insert into subject_keys values ('ind_1', 'a key'), ('ind_2', 'another key')`)
        const otherConnection = new Database(file, { readonly: true })
        otherConnection.exec("begin")
        otherConnection.prepare("select count(*) from subject_keys").get()
        yield* keys.erase("ind_1")
        const purge = yield* Effect.forkChild(keys.purge)
        // The keys are moved, but the write-ahead log still contains their old versions.
        yield* waitUntilEffect(
          db.all(sql`select id from moved_subject_keys`),
          (rows) => rows.length === 0 && statSync(`${file}-wal`).size > 0
        )
        assert.isUndefined(purge.pollUnsafe())
        otherConnection.close()
        yield* Fiber.join(purge)
        assert.isEmpty(yield* db.all(sql`select id from pending_key_purges`))
        assert.notInclude(readFileSync(file, "latin1"), "ind_1")
      })
    )
  )

  it.live("keeps the pending purge of an erasure that was recorded after a concurrent purge had completed", () =>
    onFile(({ db, file, keys }) =>
      Effect.gen(function* () {
        yield* db.run(sql`insert into subject_keys values ('ind_1', 'a key'), ('ind_2', 'another key')`)
        const otherConnection = new Database(file, { readonly: true })
        otherConnection.exec("begin")
        otherConnection.prepare("select count(*) from subject_keys").get()
        yield* keys.erase("ind_1")
        const purge = yield* Effect.forkChild(keys.purge)
        yield* waitUntilEffect(
          db.all<{ readonly pass: string; readonly covered: number }>(
            sql`select pass, covered from pending_key_purges`
          ),
          ([row]) => row?.pass === "NONE" && row.covered > 0
        )
        // Another purge of the same erasure completes first.
        yield* db.run(sql`delete from pending_key_purges`)
        yield* keys.erase("ind_2")
        otherConnection.close()
        yield* Fiber.join(purge)
        assert.lengthOf(yield* db.all(sql`select id from pending_key_purges`), 1)
        yield* keys.purge
        assert.isEmpty(yield* db.all(sql`select id from pending_key_purges`))
        assert.notInclude(readFileSync(file, "latin1"), "ind_2")
      })
    )
  )
})

describe("purgeErased on Postgres", () => {
  it.live.each([
    ["snapshot of its database", "begin isolation level repeatable read; select 1", false],
    ["transaction of another database", "begin; select pg_current_xact_id()", true]
  ] as const)(
    "waits for an older %s, because VACUUM would keep the erased keys for it",
    ([, statements, isElsewhere]) =>
      Effect.gen(function* () {
        const url = yield* temporaryDatabase
        const otherUrl = isElsewhere ? yield* temporaryDatabase : url
        yield* Effect.gen(function* () {
          const [db, keys] = [yield* Db, yield* SubjectKeys]
          yield* Effect.forEach(all.slice(0, 100), (nth) => keys.ensure(`own_${nth}`), { discard: true })
          const rows = yield* db.all<{ readonly secrets: string }>(sql`select secrets from subject_keys order by id`)
          // Autovacuum also runs ANALYZE, which copies samples of columns to the statistics.
          yield* db.run(sql`analyze subject_keys`)
          const otherClient = new pg.Client(Redacted.value(otherUrl))
          yield* Effect.promise(() => otherClient.connect())
          yield* Effect.promise(() => otherClient.query(statements))
          yield* Effect.forEach(all.slice(0, 99), (nth) => keys.erase(`own_${nth}`), { discard: true })
          const purge = yield* Effect.forkChild(keys.purge)
          yield* waitUntilEffect(
            db.all(sql`select pid from pg_stat_activity where query like '%pg_sleep%' and pid <> pg_backend_pid()`),
            ({ length }) => length > 0
          )
          assert.isUndefined(purge.pollUnsafe())
          yield* Effect.promise(() => otherClient.end())
          yield* Fiber.join(purge)
          const files = Buffer.from(yield* postgresFileBytes).toString("latin1")
          const remainingRows = rows.filter(({ secrets }) => files.includes(secrets))
          assert.lengthOf(remainingRows, 1)
        }).pipe(
          Effect.provide(
            Layer.fresh(KyselySubjectKeys.layer).pipe(
              Layer.provideMerge(Layer.merge(layerPostgres({ url }), secretKeys))
            )
          )
        )
      })
  )
})
