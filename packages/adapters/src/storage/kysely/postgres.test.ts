import { aKey, aProject } from "@countersign/core/contracts/tenancy/projects/ProjectStore"
import { aWallet } from "@countersign/core/contracts/wallets/registry/WalletStore"
import { ProjectStore } from "@countersign/core/tenancy/projects"
import { WalletStore } from "@countersign/core/wallets/registry"
import { assert, layer } from "@effect/vitest"
import { Cause, Context, Deferred, Effect, Exit, Fiber, Layer, Option, Redacted } from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { sql } from "kysely"
import { waitUntilEffect } from "../../../../core/test/support/untilEffect.ts"
import { claimsSuite } from "../../../test/kysely/claimsSuite.ts"
import { dbSuite } from "../../../test/kysely/dbSuite.ts"
import { migrateSuite } from "../../../test/kysely/migrateSuite.ts"
import { plansSuite } from "../../../test/kysely/plansSuite.ts"
import { storesSuite } from "../../../test/kysely/storesSuite.ts"
import { vaultSuite } from "../../../test/kysely/vaultSuite.ts"
import { layerTemporaryPostgres, sharedLayer, temporaryDatabase } from "../../../test/support/databases.ts"
import { Db } from "./Db.ts"
import { layerPostgres, layerPostgresDb } from "./index.ts"

const database = sharedLayer(layerTemporaryPostgres)

storesSuite("Postgres", database)
claimsSuite("Postgres", database)
dbSuite("Postgres", database)
plansSuite("Postgres", layerTemporaryPostgres)
// Skipped for an external server, because its files may be on another machine.
if (process.env.TEST_DATABASE_URL === undefined) vaultSuite("Postgres", database)
migrateSuite(
  "Postgres",
  Effect.map(temporaryDatabase, (url) => Effect.provide(Layer.fresh(layerPostgresDb({ url }))))
)

const layerFour = Layer.unwrap(Effect.map(temporaryDatabase, (url) => layerPostgres({ url, connectionsMax: 4 })))

const reasonOf = <A, E>(exit: Exit.Exit<A, E>): string | undefined => {
  const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
  return SqlError.isSqlError(defect) ? defect.reason._tag : undefined
}

const CONNECT_TIMEOUT_MS = 500

const layerSingle = Layer.unwrap(
  Effect.map(temporaryDatabase, (url) =>
    layerPostgres({ url, connectionsMax: 1, connectTimeoutMs: CONNECT_TIMEOUT_MS })
  )
)

/** Uses the TestClock, because opening a connection may take longer than the timeout on a slow machine. */
layer(layerSingle)("Postgres with one connection", (it) => {
  it.effect(
    "fails a query and a transaction that get no connection in time, and continues once the connection is free",
    () =>
      Effect.gen(function* () {
        const db = yield* Db
        const selectOne = db.all(sql`select 1 as one`)
        const [holds, mayEnd] = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
        const holder = yield* Effect.forkChild(
          db.transaction(Effect.andThen(Deferred.succeed(holds, undefined), Deferred.await(mayEnd)))
        )
        yield* Deferred.await(holds)
        for (const waiting of [selectOne, db.transaction(selectOne)]) {
          const query = yield* Effect.forkChild(Effect.exit(waiting))
          yield* TestClock.adjust(CONNECT_TIMEOUT_MS)
          assert.strictEqual(reasonOf(yield* Fiber.join(query)), "ConnectionError")
        }
        yield* Deferred.succeed(mayEnd, undefined)
        yield* Fiber.join(holder)
        assert.deepStrictEqual(yield* selectOne, [{ one: 1 }])
      })
  )
})

layer(layerFour, { excludeTestServices: true })("Postgres", (it) => {
  const loseOthers = Effect.flatMap(Db, (db) =>
    db.all(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    )
  )
  const readsAndWrites = Effect.gen(function* () {
    const store = yield* ProjectStore
    const project = aProject()
    yield* store.insert(project)
    assert.deepStrictEqual(yield* store.find(project.id), Option.some(project))
  })

  it.effect("cancels a statement that takes too long, and uses the connection again", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase
      const context = yield* Layer.build(layerPostgresDb({ url, connectionsMax: 1, statementTimeoutMs: 1_000 }))
      const db = Context.get(context, Db)
      // On a slow machine the server may cancel any statement.
      const readProcess = waitUntilEffect(
        Effect.exit(db.all<{ pid: number }>(sql`select pg_backend_pid()::text as pid`)),
        Exit.isSuccess
      )
      const processBefore = yield* readProcess
      const slow = db.all(sql`select pg_sleep(60)`)
      assert.strictEqual(reasonOf(yield* Effect.exit(slow)), "StatementTimeoutError")
      assert.strictEqual(reasonOf(yield* Effect.exit(db.transaction(slow))), "StatementTimeoutError")
      assert.deepStrictEqual(yield* readProcess, processBefore)
    })
  )

  it.effect("recovers after idle connections were lost", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* Effect.all(
        Array.from({ length: 4 }, () => db.all(sql`select pg_sleep(0.02)`)),
        { concurrency: 4 }
      )
      yield* loseOthers
      // A query fails if it is sent before the client detects its lost connection.
      yield* waitUntilEffect(
        Effect.exit(Effect.all([readsAndWrites, readsAndWrites, readsAndWrites, readsAndWrites], { concurrency: 4 })),
        Exit.isSuccess
      )
    })
  )

  it.effect("fails a transaction whose connection is lost, stores none of its changes, and recovers", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const store = yield* ProjectStore
      const project = aProject()
      const exit = yield* Effect.exit(
        db.transaction(
          Effect.gen(function* () {
            yield* store.insert(project)
            yield* Effect.ignoreCause(db.all(sql`select pg_terminate_backend(pg_backend_pid())`))
            yield* store.find(project.id)
          })
        )
      )
      assert.strictEqual(reasonOf(exit), "ConnectionError")
      assert.deepStrictEqual(yield* store.find(project.id), Option.none())
      yield* readsAndWrites
    })
  )

  it.effect("rolls back an interrupted transaction after its running statement has ended", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const store = yield* ProjectStore
      const project = aProject()
      const transaction = yield* Effect.forkChild(
        db.transaction(Effect.andThen(store.insert(project), db.all(sql`select pg_sleep(20)`)))
      )
      yield* waitUntilEffect(
        db.all(
          sql`select pid from pg_stat_activity where datname = current_database() and query = 'select pg_sleep(20)' and state = 'active'`
        ),
        (processes) => processes.length === 1
      )
      yield* Fiber.interrupt(transaction)
      assert.deepStrictEqual(yield* store.find(project.id), Option.none())
      yield* Effect.all([readsAndWrites, readsAndWrites, readsAndWrites, readsAndWrites], { concurrency: 4 })
    })
  )

  it.effect("still runs prepared statements after a later version has added columns", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const project = aProject()
      const wallet = aWallet({ projectId: project.id })
      const key = aKey({ projectId: project.id })
      const readAll = Effect.gen(function* () {
        const projects = yield* ProjectStore
        const wallets = yield* WalletStore
        // Runs all queries on every connection of the pool, so that each connection has prepared them.
        const queryRound = Effect.all(
          [projects.find(project.id), projects.findKey(key.id), wallets.find(project.id, wallet.account.address)],
          { concurrency: 3 }
        )
        yield* Effect.all([queryRound, queryRound, queryRound, queryRound], { concurrency: 4 })
      })
      yield* ProjectStore.use((store) => Effect.andThen(store.insert(project), store.insertKey(key)))
      yield* WalletStore.use((store) => store.insert(wallet))
      yield* readAll
      for (const table of ["projects", "api_keys", "wallets"]) {
        yield* db.run(sql.raw(`alter table ${table} add column later text`))
      }
      yield* readAll
    })
  )

  it.effect("fails with a connection error if there is no server", () =>
    Effect.gen(function* () {
      const layerUnreachable = layerPostgres({
        url: Redacted.make("postgresql://nobody@localhost/none?host=/nonexistent")
      })
      const error = yield* Effect.flip(Effect.scoped(Layer.build(layerUnreachable)))
      assert.isTrue(SqlError.isSqlError(error) && error.reason._tag === "ConnectionError")
    })
  )
})
