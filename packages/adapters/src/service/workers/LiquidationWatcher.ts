import { Liquidations, LoanUpkeep } from "@countersign/core/trading/lending"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/** Between two looks at the chains: about a block of most. What has already happened is not urgent. */
const pause = Effect.sleep(2_000)
const upkeepPause = Effect.sleep(60_000)

/**
 * Looks for liquidations of registered wallets, and for loans that are repaid, for as long as the layer lives. Any number of
 * processes may run one: what one of them has done the others pass over.
 */
export const layer: Layer.Layer<never, never, Liquidations | LoanUpkeep> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { followDue } = yield* Liquidations
    const { tidy } = yield* LoanUpkeep
    yield* forkRounds(Effect.andThen(followDue, pause), "looking for liquidations failed", pause)
    yield* forkRounds(Effect.andThen(tidy, upkeepPause), "looking for repaid loans failed", upkeepPause)
  })
)
