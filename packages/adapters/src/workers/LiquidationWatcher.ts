import { Liquidations } from "@countersign/core/lending"
import { Effect, Layer } from "effect"

/** Between two looks at the chains: about a block of most, and nobody hurries for what has happened already. */
const PAUSE_MS = 2_000

/**
 * Looks for liquidations of registered wallets, for as long as the layer lives. Any number of processes may run one: what one of
 * them has recorded the others pass over.
 */
export const layer: Layer.Layer<never, never, Liquidations> = Layer.effectDiscard(
  Effect.gen(function* () {
    const liquidations = yield* Liquidations
    const survivingRound = Effect.catchCause(liquidations.followDue, (cause) =>
      Effect.logError("looking for liquidations failed", cause)
    )
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(survivingRound, Effect.sleep(PAUSE_MS))))
  })
)
