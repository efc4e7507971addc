import { WorkSignals } from "@countersign/core/foundation/work"
import { Liquidations, LoanUpkeep } from "@countersign/core/trading/lending"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/** The shortest interval between two polls of the chains: about the block time of most. Past liquidations are not urgent. */
const pause = Effect.sleep(2_000)
const upkeepPause = Effect.sleep(60_000)

/**
 * Detects liquidations of registered wallets, and repaid loans, while the layer exists. Any number of processes may run
 * one: work that one has done is skipped by the others.
 */
export const layer: Layer.Layer<never, never, Liquidations | LoanUpkeep | WorkSignals> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { followDue } = yield* Liquidations
    const { tidy } = yield* LoanUpkeep
    const signals = yield* WorkSignals
    const round = Effect.andThen(signals.await("LOANS"), Effect.andThen(followDue, pause))
    yield* forkRounds(round, "searching for liquidations failed", pause)
    yield* forkRounds(Effect.andThen(tidy, upkeepPause), "searching for repaid loans failed", upkeepPause)
  })
)
