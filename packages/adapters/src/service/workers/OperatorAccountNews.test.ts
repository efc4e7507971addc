import { Hash32 } from "@countersign/core/foundation/primitives"
import { ExecutionWorker } from "@countersign/core/operations/executions"
import { OperatorAccounts } from "@countersign/core/operations/operator"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { layer } from "./OperatorAccountNews.ts"

const HASH = Hash32.make(`0x${"7a".repeat(32)}`)

it.effect("wakes the operator accounts that have updates, once, and survives database failures", () => {
  const updates: Array<ReadonlyArray<Hash32>> = [[HASH], [HASH]]
  const wokenOperations: Array<ReadonlyArray<Hash32>> = []
  const layerExecutionWorker = Layer.mock(ExecutionWorker, {
    wake: (operations) =>
      Effect.suspend(() => {
        wokenOperations.push(operations)
        return wokenOperations.length === 1 ? Effect.die(new Error("the database is gone")) : Effect.void
      })
  })
  const operatorAccounts = Layer.mock(OperatorAccounts, {
    takeChangedOperations: Effect.sync(() => updates.shift() ?? [])
  })
  return Effect.gen(function* () {
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(wokenOperations, [[HASH], [HASH]])
  }).pipe(Effect.provide(layer.pipe(Layer.provide([layerExecutionWorker, operatorAccounts]))))
})
