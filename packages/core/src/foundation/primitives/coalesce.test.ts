import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { coalesce } from "./coalesce.ts"

const makeGatedRun = Effect.gen(function* () {
  const gatedWork = { starts: 0, wasInterrupted: false, gate: yield* Deferred.make<string, string>() }
  const effect = Effect.suspend(() => {
    gatedWork.starts += 1
    return Effect.onInterrupt(Deferred.await(gatedWork.gate), () =>
      Effect.sync(() => {
        gatedWork.wasInterrupted = true
      })
    )
  })
  return { gatedWork, effect, once: coalesce<string, string>() }
})

describe("coalesce", () => {
  it.effect("runs the effect once for concurrent callers, and again for a later caller", () =>
    Effect.gen(function* () {
      const { effect, gatedWork, once } = yield* makeGatedRun
      const fiber = yield* Effect.forkChild(Effect.all([once("a", effect), once("a", effect)], { concurrency: 2 }))
      yield* Effect.yieldNow
      yield* Deferred.succeed(gatedWork.gate, "answer")
      assert.deepStrictEqual(yield* Fiber.join(fiber), ["answer", "answer"])
      assert.strictEqual(gatedWork.starts, 1)
      yield* once("a", effect)
      assert.strictEqual(gatedWork.starts, 2)
    })
  )

  it.effect("fails for all waiting callers", () =>
    Effect.gen(function* () {
      const { effect, gatedWork, once } = yield* makeGatedRun
      const bothCalls = Effect.all([Effect.flip(once("a", effect)), Effect.flip(once("a", effect))], { concurrency: 2 })
      const fiber = yield* Effect.forkChild(bothCalls)
      yield* Effect.yieldNow
      yield* Deferred.fail(gatedWork.gate, "down")
      assert.deepStrictEqual(yield* Fiber.join(fiber), ["down", "down"])
    })
  )

  it.effect("continues when a caller is interrupted, also the first one, and stops after the last one", () =>
    Effect.gen(function* () {
      const { effect, gatedWork, once } = yield* makeGatedRun
      const firstFiber = yield* Effect.forkChild(once("a", effect))
      const secondFiber = yield* Effect.forkChild(once("a", effect))
      while (gatedWork.starts === 0) yield* Effect.yieldNow
      yield* Fiber.interrupt(firstFiber)
      assert.isFalse(gatedWork.wasInterrupted)
      yield* Fiber.interrupt(secondFiber)
      assert.isTrue(gatedWork.wasInterrupted)
      const thirdFiber = yield* Effect.forkChild(once("a", effect))
      while (gatedWork.starts === 1) yield* Effect.yieldNow
      yield* Fiber.interrupt(thirdFiber)
    })
  )

  it.effect("runs the effect separately for different keys", () =>
    Effect.gen(function* () {
      const coalesced = coalesce<string, never>()
      const responses = yield* Effect.all([coalesced("a", Effect.succeed("1")), coalesced("b", Effect.succeed("2"))], {
        concurrency: 2
      })
      assert.deepStrictEqual(responses, ["1", "2"])
    })
  )
})
