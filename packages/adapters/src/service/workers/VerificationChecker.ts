import { WorkSignals } from "@countersign/core/foundation/work"
import { VerificationChecks } from "@countersign/core/identity"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/** Has the provider of verifications check sessions, for as long as the layer lives. Any number of processes may run one. */
export const layer: Layer.Layer<never, never, VerificationChecks | WorkSignals> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { checkDue } = yield* VerificationChecks
    const signals = yield* WorkSignals
    const round = Effect.flatMap(checkDue, (checked) =>
      checked === 0 ? signals.await("VERIFICATION_SESSIONS") : Effect.void
    )
    yield* forkRounds(round, "checking verifications failed")
  })
)
