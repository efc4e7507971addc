import { WorkSignals } from "@countersign/core/foundation/work"
import { ExecutionWorker } from "@countersign/core/operations/executions"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/**
 * Number of concurrent rounds, so that a round that waits for a slow chain does not delay other chains. One more round
 * handles only recent acceptances.
 */
const ROUND_COUNT = 3

/** Executes accepted quotes until they end, while the layer exists. Several processes may run this worker. */
export const layer = (worker: string): Layer.Layer<never, never, ExecutionWorker | WorkSignals> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const executionWorker = yield* ExecutionWorker
      const signals = yield* WorkSignals
      const scope = yield* Effect.scope
      const forkRound = (selection: "ALL" | "NEW") => {
        const awaitSignal = signals.await(selection === "NEW" ? "NEW_EXECUTIONS" : "EXECUTIONS")
        const round = Effect.flatMap(executionWorker.runDue(worker, selection, scope), (count) =>
          count > 0 ? Effect.void : awaitSignal
        )
        return forkRounds(round, "following executions failed")
      }
      yield* forkRound("NEW")
      for (let i = 0; i < ROUND_COUNT; i++) yield* forkRound("ALL")
    })
  )
