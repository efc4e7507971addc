import { TaxRuns } from "@countersign/core/accounting/tax"
import { WorkSignals } from "@countersign/core/foundation/work"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/** Creates and emails the exports of past months while the layer exists. Several processes may run this worker. */
export const layer = (worker: string): Layer.Layer<never, never, TaxRuns | WorkSignals> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const runs = yield* TaxRuns
      const signals = yield* WorkSignals
      const round = Effect.gen(function* () {
        yield* runs.openDueRuns
        const attemptedCount = yield* runs.deliverDueRuns(worker)
        if (attemptedCount === 0) yield* signals.await("TAX_RUNS")
      })
      yield* forkRounds(round, "creating tax exports failed")
    })
  )
