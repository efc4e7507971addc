import { Retention } from "@countersign/core/tenancy/retention"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { layer } from "./RetentionPruner.ts"

const MINUTE_MS = 60_000
const nothing = {
  quotes: 0,
  fiatQuotes: 0,
  deliveries: 0,
  events: 0,
  idempotencyResponses: 0,
  rateWindows: 0,
  unpaidGas: 0,
  executions: 0
}

/** Rounds that all have this result; records their start times. */
const rounds = (round: Effect.Effect<typeof nothing>) => {
  const startTimes: Array<number> = []
  const retention = Layer.mock(Retention, {
    pruneDue: Effect.andThen(
      Effect.map(Clock.currentTimeMillis, (now) => startTimes.push(now)),
      round
    )
  })
  return { begun: startTimes, pruner: layer.pipe(Layer.provide(retention)) }
}

describe("RetentionPruner", () => {
  it.effect("prunes every few minutes, at random intervals, and not at its start", () => {
    const { begun, pruner } = rounds(Effect.succeed(nothing))
    return Effect.gen(function* () {
      yield* TestClock.adjust(2.5 * MINUTE_MS - 1)
      assert.deepStrictEqual(begun, [])
      yield* TestClock.adjust("10 hours")
      const waits = begun.map((now, index) => now - (begun[index - 1] ?? 0))
      assert.isTrue(waits.every((wait) => wait >= 2.5 * MINUTE_MS && wait <= 7.5 * MINUTE_MS))
      assert.isTrue(begun.length >= 80 && begun.length <= 240)
      assert.isAbove(new Set(waits).size, begun.length / 2)
    }).pipe(Effect.provide(pruner))
  })

  it.effect("survives rounds that fail", () => {
    const { begun, pruner } = rounds(Effect.die(new Error("database is gone")))
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 hour")
      assert.isAbove(begun.length, 6)
    }).pipe(Effect.provide(pruner))
  })

  it.effect("starts no round before the last one has ended, and ends with its layer", () => {
    const { begun, pruner } = rounds(Effect.never)
    return Effect.gen(function* () {
      yield* Effect.andThen(
        TestClock.adjust("1 hour"),
        Effect.sync(() => assert.strictEqual(begun.length, 1))
      ).pipe(Effect.provide(pruner))
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(begun.length, 1)
    })
  })
})
