import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { workSignalsContract } from "./WorkSignals.contract.ts"
import { processSignals, WorkSignals } from "./WorkSignals.ts"

workSignalsContract(
  "a process",
  Layer.sync(WorkSignals, () => processSignals().signals)
)

it.effect("reports work that no worker of the process waits for, and not what it hears from others", () =>
  Effect.gen(function* () {
    const unattended: Array<string> = []
    const { hear, signals } = processSignals({ onUnattended: (kind, dueAtMs) => unattended.push(`${kind} ${dueAtMs}`) })
    yield* signals.await("POOLS")
    yield* signals.announce("POOLS", 0)
    yield* hear("POOLS", 0)
    yield* signals.await("POOLS")
    yield* Effect.forkChild(signals.await("POOLS"))
    yield* Effect.yieldNow
    yield* signals.announce("POOLS", 7_000)
    assert.deepStrictEqual(unattended, ["POOLS 0"])
  })
)
