import { processSignals, WorkSignals } from "@countersign/core/foundation/work"
import { ExecutionWorker } from "@countersign/core/operations/executions"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { layer } from "./ExecutionRunner.ts"

/** A worker whose rounds are predefined, in order. Later rounds find no work. */
const rounds = (...planned: ReadonlyArray<Effect.Effect<number>>) => {
  let startedRounds = 0
  const layerExecutionWorker = Layer.mock(ExecutionWorker, {
    runDue: () => Effect.suspend(() => planned[startedRounds++] ?? Effect.succeed(0))
  })
  const { signals } = processSignals()
  const follower = layer("worker").pipe(Layer.provide([layerExecutionWorker, Layer.succeed(WorkSignals, signals)]))
  return { begun: () => startedRounds, follower, signals }
}

/**
 * Number of claims at the start. Each of the four concurrent rounds claims once. For each of the two kinds of work, the
 * first round that waits claims again.
 */
const START = 6

describe("ExecutionRunner", () => {
  it.effect("claims nothing while no execution is due, and one round claims at each due time", () => {
    const { begun, follower, signals } = rounds()
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(begun(), START)
      const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      yield* signals.announce("EXECUTIONS", now + 5_000)
      yield* TestClock.adjust("4 seconds")
      assert.strictEqual(begun(), START)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(begun(), START + 1)
    }).pipe(Effect.provide(follower))
  })

  it.effect("continues while a round waits for a chain that does not respond", () => {
    const { begun, follower, signals } = rounds(Effect.never, Effect.never)
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      const previous = begun()
      yield* signals.announce("EXECUTIONS", 0)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(begun(), previous + 1)
    }).pipe(Effect.provide(follower))
  })

  it.effect("claims again after a claim that found executions or failed", () => {
    const { begun, follower } = rounds(
      Effect.succeed(16),
      ...Array.from({ length: 3 }, () => Effect.die(new Error("database is gone")))
    )
    return Effect.gen(function* () {
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(begun(), START + 4)
    }).pipe(Effect.provide(follower))
  })
})
