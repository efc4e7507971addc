import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Duration, Effect, Exit, Fiber, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../foundation/primitives/index.ts"
import { WorkClaims } from "../../foundation/work/index.ts"
import type { PlannedStage, Quote } from "../quotes/index.ts"
import { aQuote } from "../quotes/Quote.fixture.ts"
import { UserOperations } from "./acceptance/UserOperations.ts"
import { ExecutionStore } from "./ExecutionStore.ts"
import { ExecutionLease, Executions } from "./Executions.ts"
import { ExecutionWorker } from "./ExecutionWorker.ts"
import {
  anEvmFixture,
  anOutcome,
  type EvmFixture,
  evmFixtureLayer,
  include,
  runWorker,
  runWorkerLater,
  setClock,
  stageNameIn,
  storedExecutionIn,
  transactionIn
} from "./evm.fixture.ts"
import { eventsIn } from "./memoryStores.fixture.ts"
import type { Change, Stage, Step, Work } from "./Stage.ts"

const SIGNATURE = HexBytes.make(`0x${"5a".repeat(65)}`)

/** A stage whose steps the test provides. */
interface ScriptedStage extends Stage {
  next: (work: Work) => ReturnType<Stage["step"]>
  readonly seenWork: Array<Work>
}

const aStage = (name: string, patienceMs: number | null = null): ScriptedStage => {
  const stage: ScriptedStage = {
    name,
    waitsFor: "BRIDGE",
    awaited: `the fill of ${name}`,
    normalMs: 60_000,
    patienceMs,
    seenWork: [],
    next: () => Effect.succeed<Step>({ _tag: "Wait", afterMs: 1_000 }),
    step: (work) =>
      Effect.suspend(() => {
        stage.seenWork.push(work)
        return stage.next(work)
      })
  }
  return stage
}

/** Returns a clock with an offset from another clock. The duration of sleeps is unchanged. */
const offsetClock = (clock: Clock.Clock, offsetMs: () => number): Clock.Clock => ({
  ...clock,
  currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + offsetMs(),
  currentTimeMillis: Effect.map(clock.currentTimeMillis, (millis) => millis + offsetMs()),
  sleep: (duration) => clock.sleep(duration)
})

const runAndWait = (effect: Effect.Effect<unknown>) => () =>
  Effect.map(effect, (): Step => ({ _tag: "Wait", afterMs: 1 }))
const keepUnchanged: Change = (transaction) => transaction
const setSubstatus =
  (substatus: string): Change =>
  (transaction) => ({ ...transaction, substatus })
const returnStep = (nextStep: Step) => () => Effect.succeed(nextStep)

const stagesOf = (...namedStages: ReadonlyArray<readonly [string, PlannedStage["status"]]>) =>
  namedStages.map(([name, status]): PlannedStage => ({ name, intent: null, status }))

const accept = (quote: Quote) =>
  Executions.use((executions) =>
    executions.accept(quote, {
      signatures: {},
      stages: [],
      acceptedAt: at(0),
      estimatedExecutionTime: at(5_000),
      funds: null
    })
  )

/** Runs a test with a quote that has its own stages and was accepted at time 0. */
const scenario = <A, E>(
  name: string,
  plannedStages: ReadonlyArray<PlannedStage>,
  stages: ReadonlyArray<Stage>,
  test: (
    fixture: EvmFixture,
    quote: Quote
  ) => Effect.Effect<A, E, ExecutionWorker | Executions | ExecutionStore | WorkClaims>
) =>
  it.effect(name, () => {
    const quote = aQuote({ stages: plannedStages, intents: [] })
    const fixture = anEvmFixture(quote)
    return Effect.gen(function* () {
      yield* setClock(0)
      yield* accept(quote)
      yield* test(fixture, quote)
    }).pipe(
      Effect.provide(
        evmFixtureLayer(
          fixture,
          stages.map((stage) => Effect.succeed(stage))
        )
      )
    )
  })

describe("ExecutionWorker", () => {
  {
    const [first, second] = [aStage("first"), aStage("second", 10_000)]
    scenario(
      "moves from stage to stage, with the status of each, and ends after the last one",
      stagesOf(["first", "PROCESSING"], ["second", "ON_BRIDGE"]),
      [first, second],
      (fixture) =>
        Effect.gen(function* () {
          yield* runWorker
          assert.lengthOf(fixture.memory.events, 1)
          first.next = returnStep({ _tag: "Stay", state: '"half"', change: setSubstatus("HALF"), afterMs: 500 })
          yield* runWorkerLater(1_000)
          assert.strictEqual(storedExecutionIn(fixture).execution.stages[0]!.state, '"half"')
          first.next = returnStep({ _tag: "Next", change: setSubstatus("LEFT") })
          yield* runWorkerLater(500)
          assert.strictEqual(stageNameIn(fixture), "second")
          // The deadline of a stage is computed when the execution enters it.
          assert.deepStrictEqual(storedExecutionIn(fixture).execution.stages[1]!.deadline, at(1_000 + 500 + 10_000))
          yield* runWorker
          assert.isFalse(second.seenWork.at(-1)!.isOverdue)
          yield* runWorkerLater(10_000)
          assert.isFalse(second.seenWork.at(-1)!.isOverdue)
          second.next = returnStep({ _tag: "Next", change: setSubstatus("THERE") })
          yield* runWorkerLater(1_000)
          assert.isTrue(second.seenWork.at(-1)!.isOverdue)
          assert.deepStrictEqual(eventsIn(fixture.memory), [
            "created PROCESSING SUBMITTED",
            "updated PROCESSING HALF",
            "updated ON_BRIDGE LEFT",
            "completed COMPLETED THERE"
          ])
          assert.isNull(storedExecutionIn(fixture).dueAt)
          assert.strictEqual(yield* runWorkerLater(86_400_000), 0)
        })
    )
  }

  {
    const [first, second] = [aStage("first"), aStage("second")]
    scenario(
      "never reports an execution as late if its step allows a wait of any length",
      stagesOf(["first", "PROCESSING"], ["second", "ON_BRIDGE"]),
      [first, second],
      (fixture) =>
        Effect.gen(function* () {
          const lateTimes = () => storedExecutionIn(fixture).execution.stages.map(({ wait }) => wait?.lateAt)
          assert.deepStrictEqual(lateTimes(), [at(60_000), undefined])
          first.next = returnStep({
            _tag: "Stay",
            state: "null",
            change: (before) => before,
            afterMs: 500,
            isOpenEnded: true
          })
          yield* runWorkerLater(1_000)
          assert.deepStrictEqual(lateTimes(), [null, undefined])
          first.next = returnStep({ _tag: "Next", change: (before) => before, isOpenEnded: true })
          yield* runWorkerLater(500)
          assert.deepStrictEqual(lateTimes(), [null, null])
        })
    )
  }

  {
    const firstStage = aStage("first")
    scenario(
      "records what an execution of an earlier version waits for, at its next move",
      stagesOf(["first", "ON_BRIDGE"]),
      [firstStage],
      (fixture) =>
        Effect.gen(function* () {
          const { execution } = storedExecutionIn(fixture)
          const { wait, ...stageWithoutWait } = execution.stages[0]!
          const expected = { waitsFor: "BRIDGE", awaited: "the fill of first", lateAt: at(60_000) } as const
          assert.deepStrictEqual(wait, expected)
          fixture.memory.executions.set(execution.id, {
            ...storedExecutionIn(fixture),
            execution: { ...execution, stages: [stageWithoutWait] }
          })
          firstStage.next = returnStep({ _tag: "Stay", state: '"half"', change: setSubstatus("HALF"), afterMs: 500 })
          yield* runWorkerLater(1_000)
          assert.deepStrictEqual(storedExecutionIn(fixture).execution.stages[0]!.wait, {
            ...expected,
            lateAt: at(61_000)
          })
          yield* runWorkerLater(500)
          assert.deepStrictEqual(storedExecutionIn(fixture).execution.stages[0]!.wait, {
            ...expected,
            lateAt: at(61_000)
          })
        })
    )
  }

  {
    const [first, second] = [aStage("first"), aStage("second", 10_000)]
    scenario(
      "restarts the time limit of a stage to which the execution returns",
      stagesOf(["first", "PROCESSING"], ["second", "ON_BRIDGE"]),
      [first, second],
      (fixture) =>
        Effect.gen(function* () {
          first.next = returnStep({ _tag: "Next", change: keepUnchanged })
          yield* runWorker
          second.next = returnStep({ _tag: "Back", to: 0, change: setSubstatus("REORGED") })
          yield* runWorkerLater(9_000)
          assert.strictEqual(stageNameIn(fixture), "first")
          assert.strictEqual(eventsIn(fixture.memory).at(-1), "updated PROCESSING REORGED")
          yield* runWorkerLater(60_000)
          assert.deepStrictEqual(storedExecutionIn(fixture).execution.stages[1]!.deadline, at(9_000 + 60_000 + 10_000))
        })
    )
  }

  {
    const stage = aStage("first")
    scenario(
      "ends the execution if a stage ends it, with and without a change",
      stagesOf(["first", "PROCESSING"]),
      [stage],
      (fixture, quote) =>
        Effect.gen(function* () {
          stage.next = returnStep({
            _tag: "End",
            change: (transaction) => ({ ...transaction, status: "CANCELLED", substatus: null })
          })
          yield* runWorker
          assert.strictEqual(eventsIn(fixture.memory).at(-1), "cancelled CANCELLED null")
          assert.isNull(storedExecutionIn(fixture).dueAt)

          const otherQuote = { ...quote, id: "another" }
          fixture.memory.quotes.set(otherQuote.id, otherQuote)
          yield* accept(otherQuote)
          stage.next = returnStep({ _tag: "Settle", change: setSubstatus("QUIET") })
          const eventCount = fixture.memory.events.length
          yield* runWorker
          assert.lengthOf(fixture.memory.events, eventCount)
          assert.strictEqual([...fixture.memory.transactions.values()].at(-1)!.substatus, "QUIET")
        })
    )
  }

  {
    const stage = aStage("first")
    scenario(
      "leaves an execution in an unknown stage to a process that has the stage",
      stagesOf(["from a later version", "ON_BRIDGE"], ["first", "PROCESSING"]),
      [stage],
      (fixture) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* runWorker, 1)
          assert.lengthOf(stage.seenWork, 0)
          assert.lengthOf(fixture.memory.events, 1)
          const { claim, dueAt, execution } = storedExecutionIn(fixture)
          assert.isNull(claim)
          assert.deepStrictEqual(dueAt, at(30_000))
          assert.strictEqual(execution.at, 0)
          assert.strictEqual(yield* runWorkerLater(30_000), 1)
        })
    )
  }

  {
    const stage = aStage("first")
    scenario(
      "lets one of two workers move an execution, and sends one event",
      stagesOf(["first", "PROCESSING"]),
      [stage],
      (fixture) =>
        Effect.gen(function* () {
          const slowStep = yield* Deferred.make<void>()
          const sideEffects: Array<string> = []
          stage.next = () =>
            Effect.map(
              Deferred.await(slowStep),
              (): Step => ({
                _tag: "Next",
                change: setSubstatus("SLOW"),
                also: Effect.sync(() => void sideEffects.push("slow"))
              })
            )
          const firstFiber = yield* Effect.forkChild(runWorker)
          yield* Effect.yieldNow
          // Ends all claims, as a process does at its start if it is the only one that uses the database.
          yield* WorkClaims.use(({ releaseAll }) => releaseAll)
          stage.next = returnStep({
            _tag: "Next",
            change: setSubstatus("FAST"),
            also: Effect.sync(() => void sideEffects.push("fast"))
          })
          yield* ExecutionWorker.use((executionWorker) => executionWorker.runDue("another"))
          yield* Deferred.succeed(slowStep, undefined)
          yield* Fiber.join(firstFiber)
          assert.deepStrictEqual(eventsIn(fixture.memory), ["created PROCESSING SUBMITTED", "completed COMPLETED FAST"])
          assert.deepStrictEqual(sideEffects, ["fast"])
          assert.strictEqual(transactionIn(fixture).substatus, "FAST")
        })
    )
  }

  {
    const stage = aStage("first")
    scenario(
      "does not release a claim that another worker has taken over",
      stagesOf(["first", "PROCESSING"]),
      [stage],
      (fixture) =>
        Effect.gen(function* () {
          const slowStep = yield* Deferred.make<void>()
          stage.next = runAndWait(Deferred.await(slowStep))
          const firstFiber = yield* Effect.forkChild(runWorker)
          yield* Effect.yieldNow
          yield* WorkClaims.use(({ releaseAll }) => releaseAll)
          const secondFiber = yield* Effect.forkChild(
            ExecutionWorker.use((executionWorker) => executionWorker.runDue("another"))
          )
          yield* Effect.yieldNow
          stage.next = returnStep({ _tag: "Wait", afterMs: 1 })
          assert.strictEqual(storedExecutionIn(fixture).claim?.worker, "another")
          yield* Deferred.succeed(slowStep, undefined)
          yield* Fiber.join(firstFiber)
          yield* Fiber.join(secondFiber)
          assert.isNull(storedExecutionIn(fixture).claim)
        })
    )
  }

  {
    const stage = aStage("first")
    scenario(
      "interrupts a step before the claim expires, so that two workers never process one execution",
      stagesOf(["first", "PROCESSING"]),
      [stage],
      (fixture) =>
        Effect.gen(function* () {
          stage.next = () => Effect.never
          const followFiber = yield* Effect.forkChild(runWorker)
          yield* TestClock.adjust("23 seconds")
          assert.isNotNull(storedExecutionIn(fixture).claim)
          yield* TestClock.adjust("6 seconds")
          assert.strictEqual(yield* Fiber.join(followFiber), 1)
          assert.isNull(storedExecutionIn(fixture).claim)
        })
    )
  }

  {
    const stage = aStage("first")
    scenario(
      "continues an execution of a dead worker after its claim has expired",
      stagesOf(["first", "PROCESSING"]),
      [stage],
      () =>
        Effect.gen(function* () {
          yield* ExecutionStore.use((store) =>
            store.claim({ worker: "dead", now: at(0), leaseUntil: at(30_000), limit: 1 })
          )
          assert.strictEqual(yield* runWorkerLater(30_000), 0)
          assert.strictEqual(yield* runWorkerLater(1), 1)
        })
    )
  }

  {
    const [failingStage, workingStage] = [aStage("broken"), aStage("fine")]
    scenario(
      "continues with the other executions if a step dies or an upstream is unavailable",
      stagesOf(["broken", "PROCESSING"]),
      [failingStage, workingStage],
      (fixture, quote) =>
        Effect.gen(function* () {
          const otherQuote: Quote = { ...quote, id: "another", stages: stagesOf(["fine", "PROCESSING"]) }
          fixture.memory.quotes.set(otherQuote.id, otherQuote)
          yield* accept(otherQuote)
          failingStage.next = () => Effect.die(new Error("a bug"))
          workingStage.next = () => Effect.fail(new UpstreamUnavailable({ upstream: "node", reason: "down" }))
          assert.strictEqual(yield* runWorker, 2)
          assert.lengthOf(workingStage.seenWork, 1)
          workingStage.next = returnStep({ _tag: "Next", change: keepUnchanged })
          assert.strictEqual(yield* runWorkerLater(1_000), 1)
          assert.strictEqual(eventsIn(fixture.memory).at(-1), "completed COMPLETED SUBMITTED")
          // The failed execution is checked again after its lease has expired.
          assert.strictEqual(yield* runWorkerLater(31_000), 1)
          assert.lengthOf(failingStage.seenWork, 2)
        })
    )
  }

  it.effect("uses the configured claim duration", () => {
    const stage = aStage("first")
    const quote = aQuote({ stages: stagesOf(["first", "PROCESSING"]), intents: [] })
    const fixture = anEvmFixture(quote)
    return Effect.gen(function* () {
      yield* setClock(0)
      yield* accept(quote)
      yield* runWorker
      yield* TestClock.adjust("1 second")
      stage.next = () => Effect.never
      const followFiber = yield* Effect.forkChild(runWorker)
      yield* Effect.yieldNow
      assert.deepStrictEqual(storedExecutionIn(fixture).claim?.until, at(6_000))
      yield* TestClock.adjust("4 seconds")
      yield* Fiber.join(followFiber)
    }).pipe(
      Effect.provide(
        evmFixtureLayer(fixture, [Effect.succeed(stage)]).pipe(
          Layer.provide(Layer.succeed(ExecutionLease, Duration.seconds(5)))
        )
      )
    )
  })
})

describe("A change with `Next`", () => {
  const [first, second, third] = [aStage("first"), aStage("second"), aStage("third")]
  const nextScenario = (name: string, to: string, expected: string | null) =>
    scenario(
      name,
      stagesOf(["first", "PROCESSING"], ["second", "ON_BRIDGE"], ["third", "COMPLETED"]),
      [first, second, third],
      (fixture) =>
        Effect.gen(function* () {
          first.next = returnStep({ _tag: "Next", to, change: (transaction) => ({ ...transaction, status: "FAILED" }) })
          yield* runWorker
          assert.strictEqual(storedExecutionIn(fixture).dueAt === null ? null : stageNameIn(fixture), expected)
          assert.strictEqual(eventsIn(fixture.memory).at(-1), "failed FAILED SUBMITTED")
        })
    )
  nextScenario("skips to the named stage", "third", "third")
  nextScenario("skips all stages if none has the name, because those in between must not run", "finality", null)
})

describe("ExecutionWorker in a scope", () => {
  const LEASE_MS = 30_000
  const waitStep = (afterMs: number): Step => ({ _tag: "Wait", afterMs })
  const runWorkerIn = (scope: Scope.Scope) =>
    ExecutionWorker.use(({ runDue: followDue }) => followDue("worker", "ALL", scope))

  {
    const stage = aStage("first")
    scenario(
      "keeps its claim between checks in short intervals, and releases it before it expires",
      stagesOf(["first", "PROCESSING"]),
      [stage],
      (fixture) =>
        Effect.gen(function* () {
          const scope = yield* Scope.make()
          stage.next = returnStep(waitStep(500))
          yield* runWorkerIn(scope)
          const claimedRow = storedExecutionIn(fixture)
          assert.isNotNull(claimedRow.claim)
          yield* TestClock.adjust(10_000)
          assert.lengthOf(stage.seenWork, 21)
          assert.deepStrictEqual(storedExecutionIn(fixture), claimedRow)
          yield* TestClock.adjust(LEASE_MS / 2 - 10_000)
          assert.isNull(storedExecutionIn(fixture).claim)
          const { length } = stage.seenWork
          yield* TestClock.adjust(60_000)
          assert.lengthOf(stage.seenWork, length)
          // A move also ends the claim.
          yield* runWorkerIn(scope)
          stage.next = returnStep({ _tag: "Next", change: keepUnchanged })
          yield* TestClock.adjust(500)
          assert.isNull(storedExecutionIn(fixture).dueAt)
        })
    )
  }

  {
    const stage = aStage("first")
    scenario(
      "releases the claim immediately when the process stops, or if the next check is not due soon",
      stagesOf(["first", "PROCESSING"]),
      [stage],
      (fixture) =>
        Effect.gen(function* () {
          const scope = yield* Scope.make()
          stage.next = returnStep(waitStep(3_000))
          yield* runWorkerIn(scope)
          assert.isNull(storedExecutionIn(fixture).claim)
          stage.next = returnStep(waitStep(1_000))
          yield* TestClock.adjust(3_000)
          yield* runWorkerIn(scope)
          assert.isNotNull(storedExecutionIn(fixture).claim)
          yield* Scope.close(scope, Exit.void)
          const { claim, dueAt } = storedExecutionIn(fixture)
          assert.deepStrictEqual({ claim, dueAt }, { claim: null, dueAt: at(3_000) })
        })
    )
  }

  {
    const stage = aStage("first")
    scenario(
      "runs no step after a kept claim has expired, and does not release the next worker's claim",
      stagesOf(["first", "PROCESSING"]),
      [stage],
      (fixture) =>
        Effect.gen(function* () {
          const scope = yield* Scope.make()
          const clock = yield* Clock.Clock
          let offsetMs = 0
          const runWithOffset = Effect.provideService(
            runWorkerIn(scope),
            Clock.Clock,
            offsetClock(clock, () => offsetMs)
          )
          stage.next = returnStep(waitStep(500))
          yield* runWithOffset
          // The clock jumps beyond the claim's end, as after a pause of the machine.
          offsetMs = LEASE_MS + 1
          const now = at(offsetMs)
          const successor = { worker: "worker", now, leaseUntil: at(2 * offsetMs), limit: 1 }
          assert.lengthOf(yield* ExecutionStore.use((store) => store.claim(successor)), 1)
          const claimedRow = storedExecutionIn(fixture)
          yield* TestClock.adjust(LEASE_MS)
          assert.lengthOf(stage.seenWork, 1)
          assert.deepStrictEqual(storedExecutionIn(fixture), claimedRow)
        })
    )
  }

  {
    const stage = aStage("first")
    scenario(
      "does not release the next worker's claim if a step outlasts its own claim",
      stagesOf(["first", "PROCESSING"]),
      [stage],
      (fixture) =>
        Effect.gen(function* () {
          const clock = yield* Clock.Clock
          const slowStep = yield* Deferred.make<void>()
          let offsetMs = 0
          stage.next = runAndWait(Deferred.await(slowStep))
          const firstFiber = yield* Effect.forkChild(
            Effect.provideService(
              runWorker,
              Clock.Clock,
              offsetClock(clock, () => offsetMs)
            )
          )
          yield* Effect.yieldNow
          offsetMs = LEASE_MS + 1
          const { worker } = storedExecutionIn(fixture).claim!
          const successor = { worker, now: at(offsetMs), leaseUntil: at(2 * offsetMs), limit: 1 }
          assert.lengthOf(yield* ExecutionStore.use((store) => store.claim(successor)), 1)
          const claimedRow = storedExecutionIn(fixture)
          yield* Deferred.succeed(slowStep, undefined)
          yield* Fiber.join(firstFiber)
          assert.deepStrictEqual(storedExecutionIn(fixture), claimedRow)
        })
    )
  }

  {
    const stage = aStage("first")
    scenario(
      "makes an execution due immediately if it is woken during a check",
      stagesOf(["first", "PROCESSING"]),
      [stage],
      (fixture, quote) =>
        Effect.gen(function* () {
          const store = yield* ExecutionStore
          const wake = store.wakeQuote(quote.projectId, quote.id, at(0))
          for (const outcome of [
            waitStep(60_000),
            { _tag: "Stay", state: '"half"', change: keepUnchanged, afterMs: 60_000 } satisfies Step
          ]) {
            stage.next = () => Effect.as(wake, outcome)
            yield* runWorker
            const { claim, dueAt } = storedExecutionIn(fixture)
            assert.deepStrictEqual({ claim, dueAt }, { claim: null, dueAt: at(0) }, outcome._tag)
          }
        })
    )
  }

  {
    const stage = aStage("first")
    scenario(
      "checks an execution immediately when its quote is woken, even during a check",
      stagesOf(["first", "PROCESSING"]),
      [stage],
      (_, quote) =>
        Effect.gen(function* () {
          const scope = yield* Scope.make()
          const store = yield* ExecutionStore
          const wake = store.wakeQuote(quote.projectId, quote.id, at(0))
          stage.next = returnStep(waitStep(1_000))
          yield* runWorkerIn(scope)
          yield* wake
          yield* TestClock.adjust(0)
          assert.lengthOf(stage.seenWork, 2)
          stage.next = () => {
            stage.next = returnStep(waitStep(1_000))
            return Effect.as(wake, waitStep(1_000))
          }
          yield* TestClock.adjust(1_000)
          assert.lengthOf(stage.seenWork, 4)
        })
    )
  }

  it.effect("checks an execution immediately when its operation is woken", () => {
    const fixture = anEvmFixture(aQuote())
    return Effect.gen(function* () {
      yield* setClock(0)
      const scope = yield* Scope.make()
      const quote = [...fixture.memory.quotes.values()][0]!
      const [intent] = quote.intents
      assert(intent?.type === "USER_OPERATION")
      yield* UserOperations.use((operations) =>
        operations.execute(quote.projectId, { hash: intent.hash, signature: SIGNATURE, authorization: null })
      )
      yield* runWorkerIn(scope)
      assert.isNotNull(storedExecutionIn(fixture).claim)
      include(fixture, intent.operation.chainId, anOutcome())
      yield* ExecutionWorker.use(({ wake }) => wake([intent.hash]))
      yield* TestClock.adjust(0)
      assert.strictEqual(stageNameIn(fixture), "finality")
    }).pipe(Effect.provide(evmFixtureLayer(fixture)))
  })
})

describe("Executions.accept", () => {
  it.effect("succeeds for one of several concurrent calls, in any process", () => {
    const quote = aQuote()
    const fixture = anEvmFixture(quote)
    return Effect.gen(function* () {
      const responses = yield* Effect.all([accept(quote), accept(quote), accept(quote)], { concurrency: 3 })
      assert.lengthOf(responses.filter(Option.isSome), 1)
      assert.strictEqual(fixture.memory.transactions.size, 1)
    }).pipe(Effect.provide(evmFixtureLayer(fixture)))
  })
})
