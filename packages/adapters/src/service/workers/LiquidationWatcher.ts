import { WorkSignals } from "@countersign/core/foundation/work"
import { Liquidations, LoanUpkeep } from "@countersign/core/trading/lending"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/**
 * Minimum interval between two polls of the chains, about the block time of most chains. Past liquidations are not
 * urgent.
 */
const pause = Effect.sleep(2_000)
const upkeepPause = Effect.sleep(60_000)

/**
 * Detects liquidations of registered wallets, and repaid loans, while the layer exists. Several processes may run this
 * worker: each skips work that another process has done.
 */
export const layer: Layer.Layer<never, never, Liquidations | LoanUpkeep | WorkSignals> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { searchDue: followDue } = yield* Liquidations
    const { tidy } = yield* LoanUpkeep
    const signals = yield* WorkSignals
    const round = Effect.andThen(signals.await("LOANS"), Effect.andThen(followDue, pause))
    yield* forkRounds(round, "searching for liquidations failed", pause)
    yield* forkRounds(Effect.andThen(tidy, upkeepPause), "searching for repaid loans failed", upkeepPause)
  })
)
