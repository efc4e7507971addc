import { FiatOrders } from "@countersign/core/fiat"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

const IDLE_MS = 30_000

/** Ends unsigned withdrawals while the layer exists. Any number of processes may run this worker. */
export const layer: Layer.Layer<never, never, FiatOrders> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { endUnsigned } = yield* FiatOrders
    const round = Effect.andThen(endUnsigned, Effect.sleep(IDLE_MS))
    yield* forkRounds(round, "ending unsigned withdrawals failed")
  })
)
