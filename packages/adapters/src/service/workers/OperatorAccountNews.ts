import { ExecutionWorker } from "@countersign/core/operations/executions"
import { OperatorAccounts } from "@countersign/core/operations/operator"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/** Interval between two checks for updates. A check without updates costs nothing. */
const pause = Effect.sleep(100)

/** Wakes operations as soon as their transaction is included, or is no longer included, while the layer exists. */
export const layer: Layer.Layer<never, never, OperatorAccounts | ExecutionWorker> = Layer.effectDiscard(
  Effect.gen(function* () {
    const operatorAccounts = yield* OperatorAccounts
    const executionWorker = yield* ExecutionWorker
    const round = Effect.gen(function* () {
      const operations = yield* operatorAccounts.takeChangedOperations
      if (operations.length > 0) yield* executionWorker.wake(operations)
      yield* pause
    })
    yield* forkRounds(round, "announcing changes of the operator's transactions failed", pause)
  })
)
