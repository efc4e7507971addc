import { ProviderRegistrations } from "@countersign/core/fiat"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

const IDLE_MS = 3_000

/** Registers verified identities with fiat providers while the layer exists. Any number of processes may run one. */
export const layer: Layer.Layer<never, never, ProviderRegistrations> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { checkDue } = yield* ProviderRegistrations
    const round = Effect.flatMap(checkDue, (checked) => (checked === 0 ? Effect.sleep(IDLE_MS) : Effect.void))
    yield* forkRounds(round, "registering identities with fiat providers failed")
  })
)
