import { anExecution } from "@countersign/core/contracts/operations/executions/ExecutionStore"
import { aQuote } from "@countersign/core/contracts/operations/quotes/QuoteStore"
import { UnitOfWork } from "@countersign/core/foundation/primitives"
import { ExecutionStore } from "@countersign/core/operations/executions"
import { QuoteStore } from "@countersign/core/operations/quotes"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
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
})
