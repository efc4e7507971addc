import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { coalesce } from "./coalesce.ts"

const aRun = Effect.gen(function* () {
  const made = { starts: 0, wasInterrupted: false, gate: yield* Deferred.make<string, string>() }
  const effect = Effect.suspend(() => {
    made.starts += 1
    return Effect.onInterrupt(Deferred.await(made.gate), () =>
      Effect.sync(() => {
        made.wasInterrupted = true
      })
    )
  })
  return { made, effect, once: coalesce<string, string>() }
})

describe("coalesce", () => {
  it.effect("runs once for all who ask meanwhile, and anew for who asks later", () =>
    Effect.gen(function* () {
      const { effect, made, once } = yield* aRun
      const asking = yield* Effect.forkChild(Effect.all([once("a", effect), once("a", effect)], { concurrency: 2 }))
      yield* Effect.yieldNow
      yield* Deferred.succeed(made.gate, "answer")
      assert.deepStrictEqual(yield* Fiber.join(asking), ["answer", "answer"])
      assert.strictEqual(made.starts, 1)
      yield* once("a", effect)
      assert.strictEqual(made.starts, 2)
    })
  )

  it.effect("gives a failure to all who wait", () =>
    Effect.gen(function* () {
      const { effect, made, once } = yield* aRun
      const both = Effect.all([Effect.flip(once("a", effect)), Effect.flip(once("a", effect))], { concurrency: 2 })
      const asking = yield* Effect.forkChild(both)
      yield* Effect.yieldNow
      yield* Deferred.fail(made.gate, "down")
      assert.deepStrictEqual(yield* Fiber.join(asking), ["down", "down"])
    })
  )

  it.effect("goes on when one who waits leaves, also the first, and ends when the last does", () =>
    Effect.gen(function* () {
      const { effect, made, once } = yield* aRun
      const first = yield* Effect.forkChild(once("a", effect))
      const second = yield* Effect.forkChild(once("a", effect))
      while (made.starts === 0) yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      assert.isFalse(made.wasInterrupted)
      yield* Fiber.interrupt(second)
      assert.isTrue(made.wasInterrupted)
      const third = yield* Effect.forkChild(once("a", effect))
      while (made.starts === 1) yield* Effect.yieldNow
      yield* Fiber.interrupt(third)
    })
  )

  it.effect("keeps other keys apart", () =>
    Effect.gen(function* () {
      const once = coalesce<string, never>()
      const answers = yield* Effect.all([once("a", Effect.succeed("1")), once("b", Effect.succeed("2"))], {
        concurrency: 2
      })
      assert.deepStrictEqual(answers, ["1", "2"])
    })
  )
})
