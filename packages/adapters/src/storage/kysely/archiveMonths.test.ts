import { anExecution } from "@countersign/core/contracts/operations/executions/ExecutionStore"
import { aQuote } from "@countersign/core/contracts/operations/quotes/QuoteStore"
import { Hash32 } from "@countersign/core/foundation/primitives"
import { ExecutionStore } from "@countersign/core/operations/executions"
import { QuoteStore } from "@countersign/core/operations/quotes"
import { Month, RetentionStore } from "@countersign/core/tenancy/retention"
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { sql } from "kysely"
import { waitUntilEffect } from "../../../../core/test/support/untilEffect.ts"
import { layerTemporaryPostgres, layerTemporarySqlite, sharedLayer } from "../../../test/support/databases.ts"
import {
  archivedMonths,
  detachMonth,
  exportMonth,
  MonthNotComplete,
  MonthNotInArchive,
  MonthStillRead
} from "./archiveMonths.ts"
import { Db } from "./Db.ts"

const instant = (text: string) => DateTime.makeUnsafe(text)
const january = Month.make("2026-01")
const february = Month.make("2026-02")

/** Stores an execution that ended at this time, with its quote. */
const executionEndedAt = Effect.fnUntraced(function* (text: string) {
  const quote = aQuote()
  const execution = anExecution({}, quote)
  const executions = yield* ExecutionStore
  yield* QuoteStore.use((store) => store.insert([quote]))
  yield* executions.insert(execution)
  yield* TestClock.setTime(DateTime.toEpochMillis(instant(text)))
  yield* executions.update(execution, 0, null)
  return { quote, execution }
})

const archiveBefore = (text: string) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(DateTime.toEpochMillis(instant(text)))
    return yield* RetentionStore.use((store) => store.prune("executions", instant(text), 1_000))
  })

/** Three executions: in the first and the last millisecond of January, and in February. */
const threeExecutions = Effect.gen(function* () {
  const endedExecutions = [
    yield* executionEndedAt("2026-01-01T00:00:00.000Z"),
    yield* executionEndedAt("2026-01-31T23:59:59.999Z"),
    yield* executionEndedAt("2026-02-01T00:00:00.000Z")
  ]
  assert.strictEqual(yield* archiveBefore("2026-03-01T00:00:00.000Z"), 3)
  return endedExecutions
})
type EndedExecution = Effect.Success<ReturnType<typeof executionEndedAt>>

const isFound = ({ execution, quote }: EndedExecution) =>
  Effect.gen(function* () {
    const quotes = yield* QuoteStore
    const executions = yield* ExecutionStore
    const hash = Hash32.make(quote.id)
    return [
      yield* quotes.find(quote.projectId, quote.id),
      yield* quotes.findByOperation(quote.projectId, hash),
      yield* quotes.findByOperationInAnyProject(hash),
      yield* executions.find(quote.projectId, execution.id),
      yield* executions.findByQuote(quote.projectId, quote.id)
    ].map(({ _tag }) => _tag === "Some")
  })
const inEveryTable = [true, true, true, true, true]
const inNoTable = [false, false, false, false, false]

const requireKeyOnly = Effect.fnUntraced(function* (ended: EndedExecution) {
  assert.deepStrictEqual(yield* isFound(ended), inNoTable)
  const { id, projectId } = ended.execution
  const key = yield* ExecutionStore.use((store) => store.findArchived(Hash32.make(ended.quote.id)))
  assert.deepStrictEqual(key, Option.some({ projectId, id }))
})

const summary = Effect.flatMap(Db, (db) =>
  Effect.map(archivedMonths(db), (months) => months.map(({ isAttached, month, rows }) => [month, rows, isAttached]))
)

for (const [name, database] of [
  ["Postgres", sharedLayer(layerTemporaryPostgres)],
  ["SQLite", sharedLayer(layerTemporarySqlite)]
] as const) {
  layer(database)(`the months of the archive on ${name}`, (it) => {
    it.effect("can be detached when they are complete, and their executions are then found only by their keys", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const writtenLines: Array<string> = []
        const write = Effect.succeed((lines: string) => Effect.sync(() => void writtenLines.push(lines)))
        const detach = (month: Month) =>
          db.dialect === "postgres"
            ? Effect.asVoid(detachMonth(db, month))
            : Effect.asVoid(exportMonth(db, month, write))

        assert.deepStrictEqual(yield* archivedMonths(db), [])
        assert.deepStrictEqual(yield* Effect.flip(detach(january)), new MonthNotInArchive({ month: january }))
        const endedExecutions = yield* threeExecutions
        for (const endedExecution of endedExecutions)
          assert.deepStrictEqual(yield* isFound(endedExecution), inEveryTable)
        assert.deepStrictEqual(yield* summary, [
          [january, 2, true],
          [february, 1, true]
        ])
        assert.isTrue((yield* archivedMonths(db)).every(({ bytes }) => bytes > 1_000))

        const lateExecution = yield* executionEndedAt("2026-01-15T00:00:00.000Z")
        yield* TestClock.setTime(DateTime.toEpochMillis(instant("2026-03-01T00:00:00.000Z")))
        assert.deepStrictEqual(yield* Effect.flip(detach(january)), new MonthNotComplete({ month: january }))
        yield* TestClock.setTime(DateTime.toEpochMillis(instant("2026-02-28T23:59:59.999Z")))
        assert.deepStrictEqual(yield* Effect.flip(detach(february)), new MonthNotComplete({ month: february }))
        yield* archiveBefore("2026-03-01T00:00:00.000Z")
        assert.deepStrictEqual(yield* isFound(lateExecution), inEveryTable)

        yield* detach(january)
        for (const endedExecution of [endedExecutions[0]!, endedExecutions[1]!, lateExecution])
          yield* requireKeyOnly(endedExecution)
        assert.deepStrictEqual(yield* isFound(endedExecutions[2]!), inEveryTable)
        if (db.dialect === "postgres") {
          yield* detach(january)
          assert.deepStrictEqual(yield* summary, [
            [january, 3, false],
            [february, 1, true]
          ])
          // Follows docs/operations.md.
          yield* db.run(sql`alter table archived_executions attach partition archived_executions_2026_01
            for values from (${sql.lit(Date.UTC(2026, 0))}) to (${sql.lit(Date.UTC(2026, 1))})`)
          for (const endedExecution of [endedExecutions[0]!, endedExecutions[1]!, lateExecution])
            assert.deepStrictEqual(yield* isFound(endedExecution), inEveryTable)
          yield* detach(january)
          yield* db.run(sql`drop table archived_executions_2026_01`)
        } else {
          const rows = writtenLines.join("").trimEnd().split("\n")
          assert.sameMembers(
            rows.map((row) => JSON.parse(row).execution.id),
            [endedExecutions[0]!, endedExecutions[1]!, lateExecution].map(({ execution }) => execution.id)
          )
          assert.deepStrictEqual(JSON.parse(rows[0]!).quote.id, endedExecutions[0]!.quote.id)
        }
        assert.deepStrictEqual(yield* Effect.flip(detach(january)), new MonthNotInArchive({ month: january }))
        assert.deepStrictEqual(yield* summary, [[february, 1, true]])

        // Later months still get their partition.
        const april = yield* executionEndedAt("2026-04-01T00:00:00.000Z")
        yield* archiveBefore("2026-05-01T00:00:00.000Z")
        assert.deepStrictEqual(yield* isFound(april), inEveryTable)
        yield* requireKeyOnly(endedExecutions[0]!)
      })
    )
  })
}

layer(layerTemporarySqlite)("the export of a month on SQLite", (it) => {
  it.effect("loses no row if it is interrupted between writing and deleting, and then exports the remaining rows", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const endedExecutions = yield* threeExecutions
      const writtenLines: Array<string> = []
      const killedWriter = Effect.succeed((lines: string) =>
        Effect.andThen(
          Effect.sync(() => void writtenLines.push(lines)),
          Effect.fail("killed")
        )
      )
      assert.strictEqual(yield* Effect.flip(exportMonth(db, january, killedWriter)), "killed")
      for (const endedExecution of endedExecutions) assert.deepStrictEqual(yield* isFound(endedExecution), inEveryTable)
      const write = Effect.succeed((lines: string) => Effect.sync(() => void writtenLines.push(lines)))
      assert.strictEqual(yield* exportMonth(db, january, write), 2)
      assert.strictEqual(writtenLines[0], writtenLines[1])
    })
  )
})

layer(sharedLayer(layerTemporaryPostgres))("the partitions of the archive on Postgres", (it) => {
  it.effect("are detached completely after an interruption", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* threeExecutions
      const [hasRead, mayEnd] = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
      const reader = yield* Effect.forkChild(
        db.transaction(
          Effect.gen(function* () {
            yield* db.all(sql`select id from archived_executions`)
            yield* Deferred.succeed(hasRead, undefined)
            yield* Deferred.await(mayEnd)
          })
        )
      )
      yield* Deferred.await(hasRead)
      // A detachment waits for transactions that have read the archive.
      const detachFiber = yield* Effect.forkChild(Effect.flip(detachMonth(db, january)))
      const selectPendingDetachments = db.all(sql`select inhrelid::text from pg_inherits where inhdetachpending`)
      yield* waitUntilEffect(selectPendingDetachments, (rows) => rows.length === 1)
      yield* db.all(sql`select pg_cancel_backend(pid)::text from pg_stat_activity
        where datname = current_database() and query like 'alter table archived_executions detach%'`)
      assert.deepStrictEqual(yield* Fiber.join(detachFiber), new MonthStillRead({ month: january }))
      assert.lengthOf(yield* selectPendingDetachments, 1)
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(reader)
      assert.strictEqual(yield* detachMonth(db, january), "archived_executions_2026_01")
      assert.deepStrictEqual(yield* selectPendingDetachments, [])
      assert.deepStrictEqual(yield* summary, [
        [january, 2, false],
        [february, 1, true]
      ])
    })
  )
})
