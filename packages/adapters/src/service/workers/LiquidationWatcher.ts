import { WorkSignals } from "@countersign/core/foundation/work"
import { Liquidations, LoanUpkeep } from "@countersign/core/trading/lending"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/** The shortest time between two polls of the chains: about a block of most. What has already happened is not urgent. */
const pause = Effect.sleep(2_000)
const upkeepPause = Effect.sleep(60_000)

/**
 * Searches liquidations of registered wallets, and repaid loans, for as long as the layer lives. Any number of processes may run
 * one: they skip what another process has done.
 */
export const layer: Layer.Layer<never, never, Liquidations | LoanUpkeep | WorkSignals> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { followDue } = yield* Liquidations
    const { tidy } = yield* LoanUpkeep
    const signals = yield* WorkSignals
    const round = Effect.andThen(signals.await("LOANS"), Effect.andThen(followDue, pause))
    yield* forkRounds(round, "looking for liquidations failed", pause)
    yield* forkRounds(Effect.andThen(tidy, upkeepPause), "looking for repaid loans failed", upkeepPause)
  })
)
