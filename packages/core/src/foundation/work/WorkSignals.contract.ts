import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Fiber, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { type WorkKind, WorkSignals, workKinds } from "./WorkSignals.ts"

/** Contract tests that every `WorkSignals` must pass. */
export const workSignalsContract = <E>(name: string, signalsLayer: Layer.Layer<WorkSignals, E>): void => {
  layer(signalsLayer)(`WorkSignals on ${name}`, (it) => {
    /** Consumes pending signals, so that only the next announcement is pending. */
    const clearPending = (kind: WorkKind) => WorkSignals.use((signals) => signals.take(kind))

    const startWaiting = (kind: WorkKind) =>
      Effect.gen(function* () {
        const state = { isWoken: false }
        const signals = yield* WorkSignals
        const fiber = yield* Effect.forkChild(
          Effect.tap(signals.await(kind), () =>
            Effect.sync(() => {
              state.isWoken = true
            })
          )
        )
        yield* Effect.yieldNow
        return { fiber, state }
      })

    it.effect("wakes a worker at startup, because work of earlier processes may be due", () =>
      Effect.gen(function* () {
        const signals = yield* WorkSignals
        for (const kind of workKinds) {
          yield* signals.await(kind)
          assert.isFalse(yield* signals.take(kind), kind)
        }
      })
    )

    it.effect("wakes one worker for work that is due now", () =>
      Effect.gen(function* () {
        const signals = yield* WorkSignals
        yield* clearPending("POOLS")
        const [first, second] = [yield* startWaiting("POOLS"), yield* startWaiting("POOLS")]
        const now = yield* Clock.currentTimeMillis
        yield* signals.announce("POOLS", now)
        yield* TestClock.adjust(1)
        assert.strictEqual([first, second].filter(({ state }) => state.isWoken).length, 1)
        yield* signals.announce("POOLS", now)
        yield* Fiber.join(first.fiber)
        yield* Fiber.join(second.fiber)
      })
    )

    it.effect("wakes a worker when work becomes due, also if the work was announced before the worker waits", () =>
      Effect.gen(function* () {
        const signals = yield* WorkSignals
        yield* clearPending("EXECUTIONS")
        // Instants may be rounded up to hundredths of a second.
        const now = Math.ceil((yield* Clock.currentTimeMillis) / 10) * 10
        yield* TestClock.setTime(now)
        yield* signals.announce("EXECUTIONS", now + 2_000)
        const { fiber, state } = yield* startWaiting("EXECUTIONS")
        yield* signals.announce("EXECUTIONS", now + 1_000)
        yield* TestClock.adjust(900)
        assert.isFalse(state.isWoken)
        yield* TestClock.adjust(100)
        yield* Fiber.join(fiber)
        assert.isFalse(yield* signals.take("EXECUTIONS"))
        yield* TestClock.adjust(1_000)
        assert.isTrue(yield* signals.take("EXECUTIONS"))
        assert.isFalse(yield* signals.take("EXECUTIONS"))
      })
    )

    it.effect("wakes only workers that wait for the announced kind of work", () =>
      Effect.gen(function* () {
        const signals = yield* WorkSignals
        yield* clearPending("TAX_RUNS")
        const countBefore = signals.count("TAX_RUNS")
        const { fiber, state } = yield* startWaiting("TAX_RUNS")
        yield* signals.announce("LOANS", 0)
        yield* TestClock.adjust(10_000)
        assert.isFalse(state.isWoken)
        assert.strictEqual(signals.count("TAX_RUNS"), countBefore)
        yield* signals.announce("TAX_RUNS", 0)
        yield* Fiber.join(fiber)
        assert.strictEqual(signals.count("TAX_RUNS"), countBefore + 1)
      })
    )
  })
}
