import { TaxRuns } from "@countersign/core/accounting/tax"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/** Wait after a look that found nothing to do. */
const IDLE_MS = 1_000

/** Makes and mails the exports of months that are over, for as long as the layer lives. Any number of processes may run one. */
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
