import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { assume, withAssumptions, withoutAssumptions } from "./assumptions.ts"

/** Creates a read whose results the test sets. */
const aRead = (last: { readonly block: bigint } | null) => {
  const pendingReads: Array<Deferred.Deferred<{ readonly block: bigint }, string>> = []
  const readBlock = Effect.gen(function* () {
    const response = yield* Deferred.make<{ readonly block: bigint }, string>()
    pendingReads.push(response)
    return yield* Deferred.await(response)
  })
  return { asks: pendingReads, read: assume("block", last, readBlock) }
}

describe("withAssumptions", () => {
  it.effect("continues with the last result, and completes when the read has the same result", () =>
    Effect.gen(function* () {
      const { asks, read } = aRead({ block: 5n })
      const reads: Array<bigint> = []
      const work = Effect.tap(read, ({ block }) => Effect.sync(() => reads.push(block)))
      const fiber = yield* Effect.forkChild(withAssumptions(work))
      yield* Effect.yieldNow
      assert.deepStrictEqual(reads, [5n])
      assert.isUndefined(fiber.pollUnsafe())
      yield* Deferred.succeed(asks[0]!, { block: 5n })
      assert.deepStrictEqual(yield* Fiber.join(fiber), { block: 5n })
      assert.strictEqual(asks.length, 1)
    })
  )

  it.effect("cancels work with a wrong assumption, and repeats it with the new result", () =>
    Effect.gen(function* () {
      const { asks, read } = aRead({ block: 5n })
      const reads: Array<bigint> = []
      let wasInterrupted = false
      const work = Effect.gen(function* () {
        const { block } = yield* read
        reads.push(block)
        if (block === 5n) {
          yield* Effect.onInterrupt(Effect.never, () =>
            Effect.sync(() => {
              wasInterrupted = true
            })
          )
        }
        return block
      })
      const fiber = yield* Effect.forkChild(withAssumptions(work))
      yield* Effect.yieldNow
      yield* Deferred.succeed(asks[0]!, { block: 6n })
      assert.strictEqual(yield* Fiber.join(fiber), 6n)
      assert.deepStrictEqual([reads, wasInterrupted, asks.length], [[5n, 6n], true, 1])
    })
  )

  it.effect("fails if the verifying read fails, without another read", () =>
    Effect.gen(function* () {
      const { asks, read } = aRead({ block: 5n })
      const fiber = yield* Effect.forkChild(withAssumptions(Effect.mapError(read, (reason) => `node: ${reason}`)))
      yield* Effect.yieldNow
      yield* Deferred.fail(asks[0]!, "down")
      assert.deepStrictEqual(yield* Fiber.await(fiber), Exit.fail("node: down"))
      assert.strictEqual(asks.length, 1)
    })
  )

  it.effect("ignores a failure of work that made a wrong assumption", () =>
    Effect.gen(function* () {
      const { asks, read } = aRead({ block: 5n })
      const work = Effect.flatMap(read, ({ block }) => (block === 5n ? Effect.fail("stale") : Effect.succeed(block)))
      const fiber = yield* Effect.forkChild(withAssumptions(work))
      yield* Effect.yieldNow
      yield* Deferred.succeed(asks[0]!, { block: 6n })
      assert.strictEqual(yield* Fiber.join(fiber), 6n)
    })
  )

  it.effect("performs each read once, regardless of how often its result is used", () =>
    Effect.gen(function* () {
      const { asks, read } = aRead({ block: 5n })
      const fiber = yield* Effect.forkChild(withAssumptions(Effect.all([read, read])))
      yield* Effect.yieldNow
      assert.strictEqual(asks.length, 1)
      yield* Deferred.succeed(asks[0]!, { block: 5n })
      assert.deepStrictEqual(yield* Fiber.join(fiber), [{ block: 5n }, { block: 5n }])
    })
  )

  it.effect("makes no assumption without a last result, or outside `withAssumptions`", () =>
    Effect.gen(function* () {
      const readWithoutAssumptions = aRead({ block: 5n })
      const unknown = aRead(null)
      const fibers = [
        yield* Effect.forkChild(readWithoutAssumptions.read),
        yield* Effect.forkChild(withAssumptions(unknown.read))
      ]
      yield* Effect.yieldNow
      assert.deepStrictEqual(
        fibers.map((fiber) => fiber.pollUnsafe()),
        [undefined, undefined]
      )
      yield* Deferred.succeed(readWithoutAssumptions.asks[0]!, { block: 6n })
      yield* Deferred.succeed(unknown.asks[0]!, { block: 7n })
      assert.deepStrictEqual(yield* Effect.all(fibers.map((fiber) => Fiber.join(fiber))), [
        { block: 6n },
        { block: 7n }
      ])
    })
  )

  it.effect("reads again in work without assumptions, also if a result is known", () =>
    Effect.gen(function* () {
      const { asks, read } = aRead({ block: 5n })
      const work = Effect.gen(function* () {
        const { block: first } = yield* read
        return first === 5n ? first : (yield* withoutAssumptions(read)).block
      })
      const fiber = yield* Effect.forkChild(withAssumptions(work))
      yield* Effect.yieldNow
      yield* Deferred.succeed(asks[0]!, { block: 6n })
      yield* Effect.yieldNow
      yield* Deferred.succeed(asks[1]!, { block: 7n })
      assert.strictEqual(yield* Fiber.join(fiber), 7n)
    })
  )
})
