import { HistoryStore, Transactions } from "@countersign/core/accounting/history"
import { aTransaction } from "@countersign/core/contracts/accounting/history/HistoryStore"
import { anExecution } from "@countersign/core/contracts/operations/executions/ExecutionStore"
import { aQuote } from "@countersign/core/contracts/operations/quotes/QuoteStore"
import { UnitOfWork } from "@countersign/core/foundation/primitives"
import {
  type Change,
  ExecutionStore,
  ExecutionWorker,
  type Stage,
  Stages,
  type Step,
  stageOf
} from "@countersign/core/operations/executions"
import { QuoteStore } from "@countersign/core/operations/quotes"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { layerTemporaryPostgres } from "../../../test/support/databases.ts"

/** Only on Postgres, because SQLite has only one writer at a time. */
layer(layerTemporaryPostgres, { excludeTestServices: true })("An execution on Postgres", (it) => {
  it.effect("that a unit of work has locked can't be locked by another one until the first one ends", () =>
    Effect.gen(function* () {
      const executions = yield* ExecutionStore
      const quotes = yield* QuoteStore
      const unitOfWork = yield* UnitOfWork
      const quote = aQuote()
      const execution = anExecution({}, quote)
      yield* quotes.insert([quote])
      yield* executions.insert(execution)
      const events: Array<string> = []
      const isLocked = yield* Deferred.make<void>()
      const lockWith = (rest: Effect.Effect<void>) =>
        unitOfWork.run(Effect.andThen(executions.lock(execution.projectId, execution.id), rest))
      const second = yield* Effect.forkChild(
        Effect.andThen(Deferred.await(isLocked), lockWith(Effect.sync(() => void events.push("second"))))
      )
      yield* lockWith(
        Effect.gen(function* () {
          yield* Deferred.succeed(isLocked, undefined)
          // The second unit of work gets time to take the lock if nothing prevents it.
          for (let i = 0; i < 20; i++) yield* executions.find(execution.projectId, execution.id)
          events.push("first")
        })
      )
      yield* Fiber.join(second)
      assert.deepStrictEqual(events, ["first", "second"])
    }).pipe(Effect.timeout("2 minutes"))
  )

  it.effect("that moves during a cancellation applies its change to the cancelled transaction", () =>
    Effect.gen(function* () {
      const executions = yield* ExecutionStore
      const history = yield* HistoryStore
      const unitOfWork = yield* UnitOfWork
      const quote = aQuote()
      const execution = anExecution({}, quote)
      const { id, projectId } = execution
      const transaction = aTransaction({ id, projectId, status: "PROCESSING", substatus: "OPEN" })
      yield* QuoteStore.use(({ insert }) => insert([quote]))
      yield* executions.insert(execution)
      yield* history.insert(transaction)
      const [isClaimed, isLocked] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const changedSubstatuses: Array<string | null> = []
      const change: Change = (before) => {
        changedSubstatuses.push(before.substatus)
        return before
      }
      const stage: Stage = {
        name: stageOf(execution).name,
        waitsFor: "ORDER_BOOK",
        awaited: "the end of the order",
        normalMs: null,
        patienceMs: null,
        step: Effect.fnUntraced(function* (work): Effect.fn.Return<Step> {
          if (work.execution.id !== id) return { _tag: "Wait", afterMs: 60_000 }
          yield* Deferred.succeed(isClaimed, undefined)
          yield* Deferred.await(isLocked)
          return { _tag: "Stay", state: "null", change, afterMs: 60_000 }
        })
      }
      const worker = ExecutionWorker.layer.pipe(
        Layer.provide(Layer.merge(Transactions.layer, Layer.succeed(Stages, [stage])))
      )
      const run = yield* Effect.forkChild(
        Effect.provide(
          ExecutionWorker.use(({ runDue }) => runDue("worker")),
          worker
        )
      )
      yield* Deferred.await(isClaimed)
      yield* unitOfWork.run(
        Effect.gen(function* () {
          yield* executions.lock(projectId, id)
          yield* history.update({ ...transaction, status: "CANCELLED", substatus: "CANCELLED" })
          yield* Deferred.succeed(isLocked, undefined)
          // The worker gets time to read the transaction if nothing prevents it.
          for (let i = 0; i < 20; i++) yield* executions.find(projectId, id)
        })
      )
      yield* Fiber.join(run)
      assert.deepStrictEqual(changedSubstatuses, ["CANCELLED"])
    }).pipe(Effect.timeout("2 minutes"))
  )
})
