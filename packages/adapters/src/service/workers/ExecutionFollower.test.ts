import { Executions, Following } from "@countersign/core/operations/executions"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { layer } from "./ExecutionFollower.ts"

/** Executions with predefined rounds, in order; later rounds find nothing. */
const rounds = (...told: ReadonlyArray<Effect.Effect<number>>) => {
  let begun = 0
  const following = Layer.mock(Following, {
    followDue: () => Effect.suspend(() => told[begun++] ?? Effect.succeed(0))
  })
  const executions = Layer.mock(Executions, { awaitWork: (maximumMs) => Effect.sleep(maximumMs) })
  return { begun: () => begun, follower: layer("worker").pipe(Layer.provide([following, executions])) }
}

describe("ExecutionFollower", () => {
  it.effect("goes on while a round waits for a chain that does not answer", () => {
    const { begun, follower } = rounds(Effect.never)
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      assert.isAbove(begun(), 5)
    }).pipe(Effect.provide(follower))
  })

  it.effect("survives a round that fails", () => {
    const { begun, follower } = rounds(...Array.from({ length: 3 }, () => Effect.die(new Error("database is gone"))))
    return Effect.gen(function* () {
      yield* TestClock.adjust("2 seconds")
      assert.isAbove(begun(), 5)
    }).pipe(Effect.provide(follower))
  })
})
