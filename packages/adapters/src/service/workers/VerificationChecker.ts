import { VerificationChecks } from "@countersign/core/identity"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

const IDLE_MS = 3_000

/**
 * Runs the checks of verification sessions at the identity provider while the layer exists. Any number of processes may
 * run one.
 */
export const layer: Layer.Layer<never, never, VerificationChecks> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { checkDue } = yield* VerificationChecks
    const round = Effect.flatMap(checkDue, (checked) => (checked === 0 ? Effect.sleep(IDLE_MS) : Effect.void))
    yield* forkRounds(round, "checking verifications failed")
  })
)
