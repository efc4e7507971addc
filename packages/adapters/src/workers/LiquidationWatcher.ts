import { Liquidations, LoanUpkeep } from "@countersign/core/lending"
import { Effect, Layer } from "effect"

/** Between two looks at the chains: about a block of most, and nobody hurries for what has happened already. */
const PAUSE_MS = 2_000
const UPKEEP_PAUSE_MS = 60_000

const again = (round: Effect.Effect<unknown>, what: string, pauseMs: number) => {
  const surviving = Effect.catchCause(round, (cause) => Effect.logError(`${what} failed`, cause))
  return Effect.forkScoped(Effect.forever(Effect.andThen(surviving, Effect.sleep(pauseMs))))
}

/**
 * Looks for liquidations of registered wallets, and for loans that are repaid, for as long as the layer lives. Any number of
 * processes may run one: what one of them has done the others pass over.
 */
export const layer: Layer.Layer<never, never, Liquidations | LoanUpkeep> = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* again((yield* Liquidations).followDue, "looking for liquidations", PAUSE_MS)
    yield* again((yield* LoanUpkeep).tidy, "looking for repaid loans", UPKEEP_PAUSE_MS)
  })
)
