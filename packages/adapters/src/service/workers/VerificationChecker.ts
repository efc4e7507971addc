import { VerificationChecks } from "@countersign/core/identity"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

const IDLE_MS = 3_000

/** Has the provider of verifications check sessions, for as long as the layer lives. Any number of processes may run one. */
export const layer: Layer.Layer<never, never, VerificationChecks> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { checkDue } = yield* VerificationChecks
    const round = Effect.flatMap(checkDue, (checked) => (checked === 0 ? Effect.sleep(IDLE_MS) : Effect.void))
    yield* forkRounds(round, "checking verifications failed")
  })
)
