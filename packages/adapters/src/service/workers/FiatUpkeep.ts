import { FiatOrders } from "@countersign/core/fiat"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

const IDLE_MS = 30_000

/** Ends withdrawals that were not signed in time, while the layer exists. Several processes may run this worker. */
export const layer: Layer.Layer<never, never, FiatOrders> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { endUnsigned } = yield* FiatOrders
    const round = Effect.andThen(endUnsigned, Effect.sleep(IDLE_MS))
    yield* forkRounds(round, "ending unsigned withdrawals failed")
  })
)
