import { HistoryStore, Transactions } from "@countersign/core/accounting/history"
import { aTransaction } from "@countersign/core/contracts/accounting/history/HistoryStore"
import { anExecution } from "@countersign/core/contracts/operations/executions/ExecutionStore"
import { aQuote } from "@countersign/core/contracts/operations/quotes/QuoteStore"
import { ExecutionStore, ExecutionWorker, type Stage, Stages } from "@countersign/core/operations/executions"
import { QuoteStore } from "@countersign/core/operations/quotes"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { layerTemporaryPostgres, layerTemporarySqlite } from "../support/databases.ts"

/** Tests that another worker finishes an execution after the lease of a worker that died. */

const LEASE_MS = 30_000

/** A stage whose condition is already met. */
const inclusionStage: Stage = {
  name: "inclusion",
  waitsFor: "CHAIN",
  awaited: "a block",
  normalMs: null,
  patienceMs: null,
  step: () => Effect.succeed({ _tag: "Next", change: (transaction) => transaction })
}

const suite = <E>(name: string, database: Layer.Layer<Layer.Success<typeof layerTemporarySqlite>, E>) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const store = yield* ExecutionStore
      const history = yield* HistoryStore
      const executionWorker = yield* ExecutionWorker
      const acceptedAt = yield* DateTime.now
      const quote = aQuote({ stages: [{ name: "inclusion", intent: 0, status: "PROCESSING" }] })
      const execution = anExecution({ acceptedAt }, quote)
      const { id, projectId } = execution
      const quotes = yield* QuoteStore
      yield* quotes.insert([quote])
      yield* quotes.accept(projectId, quote.id, acceptedAt)
      yield* store.insert(execution)
      yield* history.insert(aTransaction({ id, projectId, status: "PROCESSING" }))
      const status = Effect.map(history.find(projectId, id), (storedTransaction) =>
        Option.match(storedTransaction, { onNone: () => "missing", onSome: (transaction) => transaction.status })
      )

      const leaseUntil = DateTime.add(acceptedAt, { milliseconds: LEASE_MS })
      const claims = yield* store.claim({ worker: "dead", now: acceptedAt, leaseUntil, limit: 10 })
      assert.strictEqual(claims.length, 1)
      yield* TestClock.adjust(LEASE_MS - 1)
      assert.strictEqual(yield* executionWorker.runDue("heir"), 0)
      assert.strictEqual(yield* status, "PROCESSING")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* executionWorker.runDue("heir"), 1)
      assert.strictEqual(yield* status, "COMPLETED")
      assert.strictEqual(yield* executionWorker.runDue("third"), 0)
    }).pipe(
      Effect.provide(
        ExecutionWorker.layer.pipe(
          Layer.provide(Layer.mergeAll(Layer.succeed(Stages, [inclusionStage]), Transactions.layer)),
          Layer.provideMerge(database)
        )
      )
    )
  )

describe("After the lease, another worker finishes the execution of a dead worker", () => {
  suite("on SQLite", layerTemporarySqlite)
  suite("on Postgres", layerTemporaryPostgres)
})
