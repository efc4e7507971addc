import { WorkSignals } from "@countersign/core/foundation/work"
import { ExecutionWorker } from "@countersign/core/operations/executions"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/**
 * Number of concurrent rounds, so that a round that waits for a slow chain does not delay other chains. One more round
 * handles only recent acceptances.
 */
const ROUNDS = 3

/** Executes accepted quotes until they end, while the layer exists. Several processes may run this worker. */
export const layer = (worker: string): Layer.Layer<never, never, ExecutionWorker | WorkSignals> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const executionWorker = yield* ExecutionWorker
      const signals = yield* WorkSignals
      const scope = yield* Effect.scope
      const rounds = (which: "ALL" | "NEW") => {
        const awaitSignal = signals.await(which === "NEW" ? "NEW_EXECUTIONS" : "EXECUTIONS")
        const round = Effect.flatMap(executionWorker.followDue(worker, which, scope), (count) =>
          count > 0 ? Effect.void : awaitSignal
        )
        return forkRounds(round, "following executions failed")
      }
      yield* rounds("NEW")
      for (let i = 0; i < ROUNDS; i++) yield* rounds("ALL")
    })
  )
