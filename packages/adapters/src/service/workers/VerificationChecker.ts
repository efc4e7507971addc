import { WorkSignals } from "@countersign/core/foundation/work"
import { VerificationChecks } from "@countersign/core/identity"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/**
 * Runs the checks of verification sessions at the identity provider while the layer exists. Several processes may run
 * this worker.
 */
export const layer: Layer.Layer<never, never, VerificationChecks | WorkSignals> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { checkDue } = yield* VerificationChecks
    const signals = yield* WorkSignals
    const round = Effect.flatMap(checkDue, (checkedCount) =>
      checkedCount === 0 ? signals.await("VERIFICATION_SESSIONS") : Effect.void
    )
    yield* forkRounds(round, "checking verifications failed")
  })
)
