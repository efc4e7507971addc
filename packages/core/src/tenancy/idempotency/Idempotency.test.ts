import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { aProjectId } from "../projects/Project.fixture.ts"
import { Idempotency } from "./Idempotency.ts"
import { IdempotencyStore } from "./IdempotencyStore.ts"

/**
 * A store with one request and its lock. It ignores a renewal by a caller that has lost the lock, as a real store does.
 */
const layerOneRequest = Layer.sync(IdempotencyStore, () => {
  let lockedUntil: DateTime.Utc | null = null
  return IdempotencyStore.of({
    admit: (_request, times) =>
      Effect.sync(() => {
        if (lockedUntil !== null && DateTime.isGreaterThan(lockedUntil, times.now)) return { _tag: "Running" }
        lockedUntil = times.lockedUntil
        return { _tag: "First" }
      }),
    renew: (_request, { from, to }) =>
      Effect.sync(() => {
        if (lockedUntil !== null && DateTime.Equivalence(lockedUntil, from)) lockedUntil = to
      }),
    finish: () => Effect.void,
    abandon: () => Effect.void
  })
})

const request = { projectId: aProjectId(), key: "order-1", fingerprint: "f1" }
const storeNothing = () => null
const restoreText = () => "stored"

describe("Idempotency.once", () => {
  it.effect(
    "extends its lock while the request runs; the lock ends at most 15 seconds after the process has died",
    () =>
      Effect.gen(function* () {
        const { runOnce: once } = yield* Idempotency
        const response = yield* Deferred.make<string>()
        const slowRequest = yield* Effect.forkChild(
          once(request, { respond: Deferred.await(response), toStored: storeNothing, restore: restoreText })
        )
        yield* TestClock.adjust("3 minutes")
        const earlyRequest = yield* Effect.forkChild(
          once(request, { respond: Effect.succeed("early"), toStored: storeNothing, restore: restoreText })
        )
        yield* TestClock.adjust("20 seconds")
        assert.isUndefined(earlyRequest.pollUnsafe())
        yield* Fiber.interrupt(earlyRequest)

        // The interruption does not release the lock in the store, as in a crash.
        yield* Fiber.interrupt(slowRequest)
        const lateRequest = yield* Effect.forkChild(
          once(request, { respond: Effect.succeed("late"), toStored: storeNothing, restore: restoreText })
        )
        yield* TestClock.adjust("16 seconds")
        assert.strictEqual(yield* Fiber.join(lateRequest), "late")
      }).pipe(Effect.provide(Idempotency.layer.pipe(Layer.provide(layerOneRequest))))
  )
})
