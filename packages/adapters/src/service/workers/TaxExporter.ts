import { TaxRuns } from "@countersign/core/accounting/tax"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/** The delay after a check without work. */
const IDLE_MS = 1_000

/** Creates and mails the exports of past months while the layer exists. Any number of processes may run one. */
export const layer = (worker: string): Layer.Layer<never, never, TaxRuns> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const runs = yield* TaxRuns
      const round = Effect.gen(function* () {
        yield* runs.openDue
        const attempted = yield* runs.deliverDue(worker)
        if (attempted === 0) yield* Effect.sleep(IDLE_MS)
      })
      yield* forkRounds(round, "exporting for taxes failed")
    })
  )
