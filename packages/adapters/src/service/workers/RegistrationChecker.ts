import { ProviderRegistrations } from "@countersign/core/fiat"
import { WorkSignals } from "@countersign/core/foundation/work"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/** Registers verified identities with fiat providers while the layer exists. Several processes may run this worker. */
export const layer: Layer.Layer<never, never, ProviderRegistrations | WorkSignals> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { checkDue } = yield* ProviderRegistrations
    const signals = yield* WorkSignals
    const round = Effect.flatMap(checkDue, (checkedCount) =>
      checkedCount === 0 ? signals.await("PROVIDER_REGISTRATIONS") : Effect.void
    )
    yield* forkRounds(round, "registering identities with fiat providers failed")
  })
)
