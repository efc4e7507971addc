import { TaxRuns } from "@countersign/core/tax"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

const EVERY_MS = 1_000

/** Makes and mails the exports of months that are over, for as long as the layer lives. Any number of processes may run one. */
export const layer = (worker: string): Layer.Layer<never, never, TaxRuns> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const runs = yield* TaxRuns
      const round = runs.openDue.pipe(Effect.andThen(runs.deliverDue(worker)), Effect.andThen(Effect.sleep(EVERY_MS)))
      yield* forkRounds(round, "exporting for taxes failed")
    })
  )
