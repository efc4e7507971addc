import { ExecutionStore } from "@countersign/core/executions"
import { HistoryStore, transactionEvents } from "@countersign/core/history"
import { Hash32 } from "@countersign/core/primitives"
import { QuoteStore } from "@countersign/core/quotes"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { sql } from "kysely"
import { earlierRows } from "../../test/kysely/earlierRows.ts"
import * as earlier from "../../test/kysely/earlierValues.ts"
import { temporaryDatabase, temporaryFile } from "../../test/support/databases.ts"
import { Db, layerPostgresDb, layerSqliteDb, layerStores, migrate } from "./index.ts"
import { migrations } from "./migrations/index.ts"

/** More than two batches, and not a whole number of them. */
const COPIES = 450
const indices = Array.from({ length: COPIES }, (_, index) => index)

/** Rows of one operation, its transaction and its event. */
const full = earlierRows["0007_answer_scope"]!.filter((statement) => /0505|msg_3/u.test(statement))

const hashOf = (index: number) => Hash32.make(`0x${"05".repeat(30)}${index.toString(16).padStart(4, "0")}`)
const idOf = (index: number) => `05050505-0505-4050-8050-05050505${index.toString(16).padStart(4, "0")}`

const copyOf = (statement: string, index: number): string =>
  statement
    .replaceAll(hashOf(0x0505), hashOf(index))
    .replaceAll(idOf(0x0505), idOf(index))
    .replaceAll("msg_3", `msg_${index}`)

const converts = Effect.gen(function* () {
  const db = yield* Db
  yield* migrate(migrations.filter(({ name }) => name <= "0007_answer_scope"))
  const copies = indices.flatMap((index) => full.map((statement) => copyOf(statement, index)))
  yield* db.transaction(Effect.forEach(copies, (statement) => db.run(sql.raw(statement)), { discard: true }))
  yield* migrate()
  const { projectId, walletAddress } = earlier.watched.execution
  yield* Effect.gen(function* () {
    const [quotes, executions, history] = [yield* QuoteStore, yield* ExecutionStore, yield* HistoryStore]
    const check = Effect.fnUntraced(function* (index: number) {
      const [hash, id] = [hashOf(index), idOf(index)]
      const quote = Option.getOrThrow(yield* quotes.findByOperation(projectId, hash))
      assert.strictEqual(quote.id, hash)
      const execution = Option.getOrThrow(yield* executions.findByQuote(projectId, hash))
      assert.strictEqual(execution.id, id)
      const transaction = Option.getOrThrow(yield* history.find(projectId, id))
      assert.deepStrictEqual(transaction, { ...earlier.watchedTransaction, id, userOperationHash: hash })
    })
    yield* Effect.forEach(indices, check, { concurrency: 8 })
    const events = yield* db.all(db.query.selectFrom("events").select(["id", "snapshot"]))
    assert.strictEqual(events.length, COPIES)
    for (const { id, snapshot } of events) {
      assert.strictEqual(transactionEvents.resourceOf(snapshot).id, idOf(Number(id.slice("msg_".length))))
    }
    const filter = { transactionHash: earlier.watchedTransaction.legs[0]!.hash! }
    const page = yield* history.list({ projectId, walletAddress, filter, after: null, take: 2 * COPIES })
    assert.strictEqual(page.length, COPIES)
  }).pipe(Effect.provide(Layer.fresh(layerStores)))
})

describe("0008_executions converts more rows than it holds in memory", () => {
  it.effect("on SQLite", () =>
    Effect.flatMap(temporaryFile, (file) => Effect.provide(converts, Layer.fresh(layerSqliteDb(file))))
  )
  it.effect("on Postgres", () =>
    Effect.flatMap(temporaryDatabase, (url) => Effect.provide(converts, Layer.fresh(layerPostgresDb({ url }))))
  )
})
