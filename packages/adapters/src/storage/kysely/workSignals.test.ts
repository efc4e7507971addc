import { aProject } from "@countersign/core/contracts/tenancy/projects/ProjectStore"
import { WorkSignals } from "@countersign/core/foundation/work"
import { ExecutionStore } from "@countersign/core/operations/executions"
import { assert, describe, it } from "@effect/vitest"
import { Context, DateTime, Effect, Fiber, Layer, type Redacted } from "effect"
import { sql } from "kysely"
import { aHash } from "../../../../core/src/foundation/primitives/ids.fixture.ts"
import { waitUntilEffect } from "../../../../core/test/support/untilEffect.ts"
import { signalsSuite } from "../../../test/kysely/signalsSuite.ts"
import { layerTemporaryPostgres, layerTemporarySqlite, temporaryDatabase } from "../../../test/support/databases.ts"
import { Db, layerPostgres, type PostgresOptions } from "./index.ts"

signalsSuite("SQLite", layerTemporarySqlite)
signalsSuite("Postgres", layerTemporaryPostgres)

/** Opens the stores of one of several processes on a database. */
const process = (url: Redacted.Redacted<string>, options: Partial<PostgresOptions> = {}) =>
  Effect.map(Layer.build(Layer.fresh(layerPostgres({ url, connectionsMax: 2, ...options }))), (context) => ({
    db: Context.get(context, Db),
    executions: Context.get(context, ExecutionStore),
    signals: Context.get(context, WorkSignals)
  }))

/** Returns the backends that listen for announcements. */
const listeners = ({ db }: Effect.Success<ReturnType<typeof process>>) =>
  Effect.map(
    db.all(
      sql<{ readonly pid: number }>`select cast(pid as bigint) as pid from pg_stat_activity
        where datname = current_database() and query like 'LISTEN%'`
    ),
    (rows) => rows.map(({ pid }) => pid)
  )

/** Takes what is due, and then waits until the next work is announced. */
const waiting = Effect.fnUntraced(function* ({ signals }: Effect.Success<ReturnType<typeof process>>) {
  yield* signals.take("POOLS")
  const fiber = yield* Effect.forkChild(signals.await("POOLS"))
  yield* Effect.yieldNow
  return fiber
})

describe("WorkSignals of several processes on Postgres", () => {
  it.live("wake a worker of another process if no worker of the same process waits", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase
      const [web, worker] = [yield* process(url), yield* process(url)]
      const fiber = yield* waiting(worker)
      yield* waitUntilEffect(listeners(web), (pids) => pids.length === 1)
      yield* web.db.announce("POOLS", 0)
      yield* Fiber.join(fiber)
    })
  )

  it.live("wake an execution that another process has claimed", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase
      const [web, worker] = [yield* process(url), yield* process(url)]
      const wokenSubjects: Array<string> = []
      yield* worker.executions.onWake((subjects) => void wokenSubjects.push(...subjects))
      yield* waiting(worker)
      yield* waitUntilEffect(listeners(web), (pids) => pids.length === 1)
      const operations = [aHash(), aHash()]
      yield* web.executions.wake(operations, DateTime.makeUnsafe(0))
      yield* web.executions.wakeQuote(aProject().id, "quote", DateTime.makeUnsafe(0))
      const expected = [...operations, "quote"]
      yield* waitUntilEffect(
        Effect.sync(() => wokenSubjects),
        ({ length }) => length === expected.length
      )
      assert.deepStrictEqual(wokenSubjects, expected)
    })
  )

  it.live("wake a worker again after its connection for announcements was lost", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase
      const [web, worker] = [yield* process(url), yield* process(url)]
      const fiber = yield* waiting(worker)
      const [broken] = yield* waitUntilEffect(listeners(web), (pids) => pids.length === 1)
      yield* web.db.all(sql`select pg_terminate_backend(cast(${broken} as integer))`)
      yield* waitUntilEffect(listeners(web), ([pid]) => pid !== undefined && pid !== broken)
      yield* web.db.announce("POOLS", 0)
      yield* Fiber.join(fiber)
    })
  )

  it.live("find stored work without announcements, as behind PgBouncer", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase
      const [web, worker] = [yield* process(url, { isPgBouncer: true }), yield* process(url, { isPgBouncer: true })]
      const fiber = yield* waiting(worker)
      yield* web.db.run(
        web.db.query.insertInto("indexed_pools").values({
          chain_id: 1,
          address: "0x1",
          token0: "0x2",
          token1: "0x3",
          fee_pips: 500,
          asked_at: 0,
          due_at: 0,
          claimed_until: null,
          version: 0,
          progress: null
        })
      )
      yield* Fiber.join(fiber)
      assert.lengthOf(yield* listeners(web), 0)
    })
  )

  it.live("open no connection for announcements while no worker waits", () =>
    Effect.gen(function* () {
      const web = yield* process(yield* temporaryDatabase)
      yield* web.db.announce("POOLS", 0)
      assert.lengthOf(yield* listeners(web), 0)
    })
  )
})
