import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer } from "effect"
import { workSignalsContract } from "./WorkSignals.contract.ts"
import { processSignals, WorkSignals } from "./WorkSignals.ts"

workSignalsContract(
  "a process",
  Layer.sync(WorkSignals, () => processSignals().signals)
)

it.effect("reports work for which no worker of the process waits, but no announcements from other processes", () =>
  Effect.gen(function* () {
    const unattendedSignals: Array<string> = []
    const { announceRemote: hear, signals } = processSignals({
      onUnattended: (kind, dueAtMs) => unattendedSignals.push(`${kind} ${dueAtMs}`)
    })
    yield* signals.await("POOLS")
    yield* signals.announce("POOLS", 0)
    yield* hear("POOLS", 0)
    yield* signals.await("POOLS")
    yield* Effect.forkChild(signals.await("POOLS"))
    yield* Effect.yieldNow
    yield* signals.announce("POOLS", 7_000)
    assert.deepStrictEqual(unattendedSignals, ["POOLS 0"])
  })
)

it.effect("reports work while the woken worker is busy, also if that worker waited for a later instant", () =>
  Effect.gen(function* () {
    const unattendedSignals: Array<string> = []
    const { signals } = processSignals({
      onUnattended: (kind, dueAtMs) => unattendedSignals.push(`${kind} ${dueAtMs}`)
    })
    yield* signals.take("POOLS")
    const now = yield* Clock.currentTimeMillis
    for (const isLaterDue of [false, true]) {
      const worker = yield* Effect.forkChild(signals.await("POOLS"))
      yield* Effect.yieldNow
      if (isLaterDue) yield* Effect.andThen(signals.announce("POOLS", now + 60_000), Effect.yieldNow)
      yield* signals.announce("POOLS", now)
      yield* Fiber.join(worker)
      yield* signals.announce("POOLS", now)
      yield* signals.take("POOLS")
      assert.deepStrictEqual(unattendedSignals.splice(0), [`POOLS ${now}`])
    }
  })
)
