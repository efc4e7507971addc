import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { storedChanges } from "./StoredChanges.ts"

it.effect("a change wakes each waiting caller once", () =>
  Effect.gen(function* () {
    const changes = storedChanges()
    for (let i = 0; i < 100; i++) {
      const waiting = yield* Effect.forkChild(changes.awaitAfter(changes.count()), { startImmediately: true })
      assert.strictEqual(changes.notify(), 1)
      yield* TestClock.adjust("20 millis")
      yield* Fiber.join(waiting)
    }
    const late = yield* Effect.forkChild(changes.awaitAfter(changes.count()), { startImmediately: true })
    yield* TestClock.adjust("2 seconds")
    yield* Fiber.join(late)
    assert.strictEqual(changes.notify(), 0)
  })
)
