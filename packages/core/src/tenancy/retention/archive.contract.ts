import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { aHash, at } from "../../foundation/primitives/ids.fixture.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { anExecution } from "../../operations/executions/Execution.fixture.ts"
import { ExecutionStore } from "../../operations/executions/index.ts"
import { QuoteStore, signDataOf } from "../../operations/quotes/index.ts"
import { anOperationIntent, aQuote } from "../../operations/quotes/Quote.fixture.ts"
import { aProjectId } from "../projects/Project.fixture.ts"
import { RetentionStore } from "./RetentionStore.ts"

const now = at(0)
const daysAgo = (days: number) => DateTime.subtract(now, { days })

/**
 * Contract tests of the archive, for implementations of `RetentionStore`, `QuoteStore` and `ExecutionStore` that share
 * one storage.
 */
export const archiveContract = <E>(
  name: string,
  stores: Layer.Layer<RetentionStore | QuoteStore | ExecutionStore | UnitOfWork, E>
): void => {
  layer(stores)(`The archive on ${name}`, (it) => {
    const archiveExecutions = (before: DateTime.Utc, limit: number) =>
      RetentionStore.use((store) => store.prune("executions", before, limit))

    /** Returns the store without old executions of other tests. */
    const clearStore = Effect.gen(function* () {
      yield* archiveExecutions(DateTime.makeUnsafe(8e15), 1e6)
      return yield* RetentionStore
    })

    const insertAcceptedQuote = Effect.fnUntraced(function* (quote = aQuote()) {
      const quotes = yield* QuoteStore
      const execution = anExecution({}, quote)
      yield* quotes.insert([quote])
      yield* quotes.accept(quote.projectId, quote.id, now)
      yield* ExecutionStore.use((store) => store.insert(execution))
      return { quote, execution }
    })

    const insertEndedExecution = Effect.fnUntraced(function* (days: number, quote = aQuote()) {
      const { execution } = yield* insertAcceptedQuote(quote)
      yield* TestClock.setTime(DateTime.toEpochMillis(daysAgo(days)))
      assert.isTrue(yield* ExecutionStore.use((store) => store.update(execution, 0, null)))
      return { quote, execution }
    })
    type EndedExecution = Effect.Success<ReturnType<typeof insertEndedExecution>>

    const hashesOf = ({ quote }: EndedExecution) => signDataOf(quote).map(({ hash }) => hash)

    /** Reads everything that the stores return for an execution. */
    const readAll = Effect.fnUntraced(function* (ended: EndedExecution) {
      const { execution, quote } = ended
      const quotes = yield* QuoteStore
      const executions = yield* ExecutionStore
      const readInProject = (projectId: typeof quote.projectId) =>
        Effect.all([
          quotes.find(projectId, quote.id),
          executions.find(projectId, execution.id),
          executions.findByQuote(projectId, quote.id),
          Effect.forEach(hashesOf(ended), (hash) => quotes.findByOperation(projectId, hash))
        ])
      return [
        yield* readInProject(quote.projectId),
        yield* readInProject(aProjectId()),
        yield* Effect.forEach(hashesOf(ended), quotes.findByOperationInAnyProject)
      ]
    })

    it.effect("moves the executions that ended first, up to a limit, and still returns them with their quotes", () =>
      Effect.gen(function* () {
        yield* clearStore
        const executions = yield* ExecutionStore
        const endedExecutions = [
          yield* insertEndedExecution(
            100,
            aQuote({ id: "two operations", intents: [anOperationIntent(), anOperationIntent()] })
          ),
          yield* insertEndedExecution(300),
          yield* insertEndedExecution(40),
          yield* insertEndedExecution(170)
        ]
        const readAreArchived = Effect.map(
          Effect.forEach(endedExecutions, (ended) => executions.findArchived(hashesOf(ended).at(-1)!)),
          (keys) => keys.map(Option.isSome)
        )
        const readsBefore = yield* Effect.forEach(endedExecutions, readAll)
        const counts: Array<number> = []
        const steps: ReadonlyArray<readonly [limit: number, areArchived: Array<boolean>]> = [
          [2, [false, true, false, true]],
          [0, [false, true, false, true]],
          [2, [true, true, false, true]],
          [2, [true, true, false, true]]
        ]
        for (const [limit, isArchived] of steps) {
          counts.push(yield* archiveExecutions(daysAgo(90), limit))
          assert.deepStrictEqual(yield* readAreArchived, isArchived)
          assert.deepStrictEqual(yield* Effect.forEach(endedExecutions, readAll), readsBefore)
        }
        assert.deepStrictEqual(counts, [2, 0, 1, 0])
        for (const { execution, quote } of endedExecutions) {
          assert.deepStrictEqual(yield* executions.findByQuote(quote.projectId, quote.id), Option.some(execution))
        }
        const { id, projectId } = endedExecutions[0]!.execution
        assert.deepStrictEqual(
          yield* executions.findArchived(hashesOf(endedExecutions[0]!)[0]!),
          Option.some({ id, projectId })
        )
        assert.deepStrictEqual(yield* executions.findArchived(aHash()), Option.none())
      })
    )

    it.effect("moves quotes without an operation", () =>
      Effect.gen(function* () {
        yield* clearStore
        const endedExecution = yield* insertEndedExecution(100, aQuote({ id: aHash(), intents: [] }))
        const readsBefore = yield* readAll(endedExecution)
        assert.strictEqual(yield* archiveExecutions(now, 10), 1)
        assert.deepStrictEqual(yield* readAll(endedExecution), readsBefore)
        const { id, projectId } = endedExecution.execution
        const key = yield* ExecutionStore.use((store) => store.findArchived(endedExecution.quote.id))
        assert.deepStrictEqual(key, Option.some({ id, projectId }))
      })
    )

    it.effect("does not move pending executions or unaccepted quotes, regardless of their age", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        yield* insertAcceptedQuote()
        yield* QuoteStore.use((quotes) => quotes.insert([aQuote()]))
        assert.strictEqual(yield* store.count("executions", DateTime.makeUnsafe(8e15)), 0)
        assert.strictEqual(yield* archiveExecutions(DateTime.makeUnsafe(8e15), 10), 0)
      })
    )

    it.effect(
      "does not allow archived executions to be claimed, woken or moved, or archived quotes to be accepted",
      () =>
        Effect.gen(function* () {
          yield* clearStore
          const executions = yield* ExecutionStore
          const quotes = yield* QuoteStore
          const endedExecution = yield* insertEndedExecution(100)
          const { execution, quote } = endedExecution
          const readsBefore = yield* readAll(endedExecution)
          yield* archiveExecutions(now, 10)
          const farFuture = DateTime.makeUnsafe(8e15)
          yield* executions.wake(hashesOf(endedExecution), farFuture)
          yield* executions.wakeQuote(quote.projectId, quote.id, farFuture)
          yield* executions.reschedule(quote.projectId, execution.id, "a", farFuture)
          const claimedExecutions = yield* executions.claim({
            worker: "a",
            now: farFuture,
            leaseUntil: now,
            limit: 1_000
          })
          assert.isFalse(claimedExecutions.some(({ execution: { id } }) => id === execution.id))
          for (const version of [0, 1, 2]) assert.isFalse(yield* executions.update(execution, version, farFuture))
          assert.isFalse(yield* quotes.accept(quote.projectId, quote.id, now))
          assert.deepStrictEqual(yield* executions.listPendingQuotes(quote.walletAddress), [])
          assert.deepStrictEqual(yield* quotes.listUnsigned(quote.walletAddress, DateTime.makeUnsafe(0)), [])
          assert.deepStrictEqual(yield* readAll(endedExecution), readsBefore)
        })
    )

    it.effect("moves each execution once, also with concurrent calls", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const endedExecutions = yield* Effect.forEach(Array.from({ length: 40 }), (_, index) =>
          insertEndedExecution(index * 20)
        )
        const readsBefore = yield* Effect.forEach(endedExecutions, readAll)
        const moveAll = Effect.gen(function* () {
          let total = 0
          for (;;) {
            const count = yield* archiveExecutions(now, 3)
            total += count
            if (count < 3) return total
          }
        })
        const readFiber = yield* Effect.forkChild(
          Effect.forEach(endedExecutions, (ended, index) =>
            Effect.map(readAll(ended), (result) => assert.deepStrictEqual(result, readsBefore[index]))
          )
        )
        const counts = yield* Effect.all(
          Array.from({ length: 6 }, () => moveAll),
          { concurrency: 6 }
        )
        yield* Fiber.join(readFiber)
        // The execution of day 0 ended at `now`, so it is too recent.
        const remainingCount = yield* archiveExecutions(now, 100)
        assert.strictEqual(
          [...counts, remainingCount].reduce((sum, count) => sum + count, 0),
          39
        )
        assert.strictEqual(yield* store.count("executions", now), 0)
        assert.deepStrictEqual(yield* Effect.forEach(endedExecutions, readAll), readsBefore)
      })
    )

    it.effect("moves nothing if the unit of work fails, and moves everything in the next call", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const endedExecution = yield* insertEndedExecution(100)
        const readsBefore = yield* readAll(endedExecution)
        const unitOfWork = yield* UnitOfWork
        yield* Effect.exit(unitOfWork.run(Effect.andThen(archiveExecutions(now, 10), Effect.die(new Error("killed")))))
        assert.deepStrictEqual(yield* readAll(endedExecution), readsBefore)
        assert.strictEqual(yield* store.count("executions", now), 1)
        assert.strictEqual(yield* archiveExecutions(now, 10), 1)
        assert.deepStrictEqual(yield* readAll(endedExecution), readsBefore)
      })
    )
  })
}
