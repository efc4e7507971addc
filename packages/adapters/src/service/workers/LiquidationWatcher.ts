import { Liquidations, LoanUpkeep } from "@countersign/core/trading/lending"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/** Interval between two polls of the chains: about the block time of most. Past liquidations are not urgent. */
const pause = Effect.sleep(2_000)
const upkeepPause = Effect.sleep(60_000)

/**
 * Detects liquidations of registered wallets, and repaid loans, while the layer exists. Any number of processes may run
 * one: work that one has done is skipped by the others.
 */
export const layer: Layer.Layer<never, never, Liquidations | LoanUpkeep> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { followDue } = yield* Liquidations
    const { tidy } = yield* LoanUpkeep
    yield* forkRounds(Effect.andThen(followDue, pause), "looking for liquidations failed", pause)
    yield* forkRounds(Effect.andThen(tidy, upkeepPause), "looking for repaid loans failed", upkeepPause)
  })
)
