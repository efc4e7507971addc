import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { FairScheduler } from "./Turns.ts"

const limits = { capacity: 4, shared: 2, waitingMax: 10 }

/** Work that starts in its turn, and runs until the test ends it. */
const makeFixture = Effect.gen(function* () {
  const turns = new FairScheduler(limits)
  const startedNames: Array<string> = []
  const startWork = Effect.fnUntraced(function* (name: string, weight = 1) {
    const end = yield* Deferred.make<void>()
    const work = Effect.andThen(
      Effect.sync(() => startedNames.push(name)),
      Deferred.await(end)
    )
    const fiber = yield* Effect.forkChild(turns.run(name[0]!, weight, work), { startImmediately: true })
    return { end: Effect.andThen(Deferred.succeed(end, undefined), Fiber.await(fiber)), fiber }
  })
  return { ask: startWork, begun: startedNames }
})

const yieldTenTimes = Effect.repeat(Effect.yieldNow, { times: 10 })

describe("Turns", () => {
  it.effect("allows a single project to use the full capacity, and another one to start immediately", () =>
    Effect.gen(function* () {
      const { ask, begun } = yield* makeFixture
      const firstTurns = yield* Effect.forEach(["a1", "a2", "a3", "a4", "a5", "a6"], (name) => ask(name))
      assert.deepStrictEqual(begun, ["a1", "a2", "a3", "a4"])
      yield* ask("b1")
      assert.deepStrictEqual(begun, ["a1", "a2", "a3", "a4", "b1"])
      // The running work must first decrease to the project's share, which is one.
      for (const work of firstTurns.slice(0, 3)) yield* work.end
      yield* yieldTenTimes
      assert.deepStrictEqual(begun.slice(5), [])
      yield* firstTurns[3]!.end
      yield* yieldTenTimes
      assert.deepStrictEqual(begun.slice(5), ["a5"])
    })
  )

  it.effect("reserves capacity for a project with sequential requests, until it has paused", () =>
    Effect.gen(function* () {
      const { ask, begun } = yield* makeFixture
      const otherTurn = yield* ask("b1")
      const manyTurns = yield* Effect.forEach(["a1", "a2", "a3"], (name) => ask(name))
      yield* otherTurn.end
      assert.deepStrictEqual(begun, ["b1", "a1"])
      yield* TestClock.adjust("1 minute")
      yield* manyTurns[0]!.end
      yield* yieldTenTimes
      assert.deepStrictEqual(begun, ["b1", "a1", "a2", "a3"])
    })
  )

  it.effect("rejects work above the maximum waiting cost, and accepts work again later", () =>
    Effect.gen(function* () {
      const { ask, begun } = yield* makeFixture
      const largeTurn = yield* ask("a1", 4)
      const waitingTurn = yield* ask("a2", 6)
      yield* ask("a3", 4)
      const error = yield* Effect.flip(Fiber.join((yield* ask("a4", 1)).fiber))
      assert.strictEqual(error._tag, "OVERLOADED")
      assert.strictEqual(error.retryAfterSeconds, 1)
      yield* largeTurn.end
      yield* yieldTenTimes
      assert.deepStrictEqual(begun, ["a1", "a2"])
      assert.isUndefined((yield* ask("a5", 1)).fiber.pollUnsafe())
      yield* waitingTurn.end
    })
  )

  it.effect("removes work that is interrupted while it waits or runs", () =>
    Effect.gen(function* () {
      const { ask, begun } = yield* makeFixture
      const [first, second] = [yield* ask("a1", 4), yield* ask("a2", 4)]
      const thirdTurn = yield* ask("a3", 4)
      yield* Fiber.interrupt(second.fiber)
      yield* Fiber.interrupt(first.fiber)
      yield* yieldTenTimes
      assert.deepStrictEqual(begun, ["a1", "a3"])
      yield* thirdTurn.end
      yield* ask("a4", 4)
      assert.deepStrictEqual(begun, ["a1", "a3", "a4"])
    })
  )

  it.effect("starts the next work after work that fails or dies", () =>
    Effect.gen(function* () {
      const turns = new FairScheduler({ ...limits, capacity: 1 })
      for (const end of [Effect.fail("no"), Effect.die("broken")]) yield* Effect.exit(turns.run("a", 1, end))
      assert.strictEqual(yield* turns.run("a", 1, Effect.succeed("done")), "done")
    })
  )
})
