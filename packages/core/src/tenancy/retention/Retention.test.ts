import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { RateLimitSettings } from "../metering/index.ts"
import { BATCH_ROWS, Retention } from "./Retention.ts"
import { type RetainedKind, RetentionPolicy } from "./RetentionPolicy.ts"
import { RetentionStore } from "./RetentionStore.ts"

/** Creates a store with this number of old rows of each kind, which records the calls. */
const storeOf = (rows: Record<RetainedKind, number>) => {
  const remainingRows = { ...rows }
  const calls: Array<{ readonly kind: RetainedKind; readonly before: DateTime.Utc; readonly limit: number }> = []
  const store = Layer.mock(RetentionStore, {
    count: (kind) => Effect.succeed(remainingRows[kind]),
    prune: (kind, before, limit) =>
      Effect.sync(() => {
        calls.push({ kind, before, limit })
        const removedCount = Math.min(remainingRows[kind], limit)
        remainingRows[kind] -= removedCount
        return removedCount
      })
  })
  return { remainingRows, calls, layer: Retention.layer.pipe(Layer.provide(store)) }
}

const zeroCounts = {
  quotes: 0,
  fiatQuotes: 0,
  deliveries: 0,
  events: 0,
  idempotencyResponses: 0,
  rateWindows: 0,
  unpaidGas: 0,
  executions: 0
}
const pruneDue = Retention.use((retention) => retention.pruneDue)

describe("Retention.pruneDue", () => {
  it.effect("prunes each kind of record up to its own time, and deliveries before their events", () => {
    const { calls, layer } = storeOf(zeroCounts)
    return Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(at(0)))
      assert.deepStrictEqual(yield* pruneDue, zeroCounts)
      const secondsAgo = (seconds: number) => DateTime.subtract(at(0), { seconds })
      assert.deepStrictEqual(
        calls.map(({ before, kind }) => [kind, before]),
        [
          ["quotes", secondsAgo(2 * 86_400)],
          ["fiatQuotes", secondsAgo(2 * 86_400)],
          ["deliveries", secondsAgo(43_200)],
          ["events", secondsAgo(43_200)],
          ["idempotencyResponses", secondsAgo(86_400)],
          ["rateWindows", secondsAgo(20)],
          ["unpaidGas", secondsAgo(30 * 86_400)],
          ["executions", secondsAgo(3 * 86_400)]
        ]
      )
    }).pipe(
      Effect.provide(layer),
      Effect.provideService(RetentionPolicy, {
        quoteDays: 2,
        deliveryDays: 0.5,
        refusedIdentityDays: 1,
        archiveDays: 3
      }),
      Effect.provideService(RateLimitSettings, { requests: 1, windowSeconds: 10 })
    )
  })

  it.effect("retains quotes for 7 days, deliveries for 30, rate limit windows for 2, and executions for 90", () => {
    const { calls, layer } = storeOf(zeroCounts)
    return Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(at(0)))
      yield* pruneDue
      const days = (days: number) => DateTime.subtract(at(0), { days })
      assert.deepStrictEqual(
        calls.map(({ before }) => before),
        [days(7), days(7), days(30), days(30), days(1), days(2), days(30), days(90)]
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("removes all expired records in batches, yields between the batches, and returns the counts", () => {
    const rows = {
      quotes: 2 * BATCH_ROWS + 1,
      fiatQuotes: 4,
      deliveries: BATCH_ROWS,
      events: 3,
      idempotencyResponses: 0,
      rateWindows: 1,
      unpaidGas: 2,
      executions: BATCH_ROWS + 1
    }
    const { calls, layer, remainingRows } = storeOf(rows)
    return Effect.gen(function* () {
      const pruneFiber = yield* Effect.forkChild(pruneDue)
      yield* Effect.yieldNow
      assert.strictEqual(remainingRows.quotes, BATCH_ROWS + 1)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(pruneFiber), rows)
      assert.deepStrictEqual(remainingRows, zeroCounts)
      assert.deepStrictEqual(
        calls.map(({ kind }) => kind),
        [
          "quotes",
          "quotes",
          "quotes",
          "fiatQuotes",
          "deliveries",
          "deliveries",
          "events",
          "idempotencyResponses",
          "rateWindows",
          "unpaidGas",
          "executions",
          "executions"
        ]
      )
      assert.isTrue(calls.every(({ limit }) => limit === BATCH_ROWS))
    }).pipe(Effect.provide(layer))
  })

  it.effect("continues after a run that was interrupted between two batches", () => {
    const { layer, remainingRows } = storeOf({ ...zeroCounts, quotes: 3 * BATCH_ROWS, events: 1 })
    return Effect.gen(function* () {
      const interruptedFiber = yield* Effect.forkChild(pruneDue)
      yield* Effect.yieldNow
      yield* Fiber.interrupt(interruptedFiber)
      assert.strictEqual(remainingRows.quotes, 2 * BATCH_ROWS)
      const nextPruneFiber = yield* Effect.forkChild(pruneDue)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(nextPruneFiber), { ...zeroCounts, quotes: 2 * BATCH_ROWS, events: 1 })
    }).pipe(Effect.provide(layer))
  })
})

describe("Retention.countDue", () => {
  it.effect("returns the counts, and removes nothing", () => {
    const rows = {
      quotes: 5,
      fiatQuotes: 8,
      deliveries: 4,
      events: 3,
      idempotencyResponses: 2,
      rateWindows: 1,
      unpaidGas: 6,
      executions: 7
    }
    const { calls, layer } = storeOf(rows)
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* Retention.use(({ countDue }) => countDue), rows)
      assert.deepStrictEqual(calls, [])
    }).pipe(Effect.provide(layer))
  })
})
