import { Verifications } from "@countersign/core/identity"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

const IDLE_MS = 60_000

/** Expires verifications whose documents did not come, for as long as the layer lives. Any number of processes may run one. */
export const layer: Layer.Layer<never, never, Verifications> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { expire } = yield* Verifications
    const round = Effect.gen(function* () {
      if ((yield* expire) === 0) yield* Effect.sleep(IDLE_MS)
    })
    yield* forkRounds(round, "expiring verifications failed")
  })
)
