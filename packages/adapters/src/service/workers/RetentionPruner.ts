import { Retention } from "@countersign/core/tenancy/retention"
import { Effect, Layer, Random } from "effect"
import { forkRounds } from "./forkRounds.ts"

/**
 * Average interval in milliseconds. The actual interval is random, from half to one and a half times this, so that
 * processes do not delete data at the same time.
 */
const AVERAGE_INTERVAL_MS = 5 * 60_000

/**
 * Deletes data after their retention time, every few minutes while the layer exists. Several processes may run this
 * worker. If a round fails, the failure is logged, and the next round continues.
 */
export const layer: Layer.Layer<never, never, Retention> = Layer.effectDiscard(
  Effect.gen(function* () {
    const retention = yield* Retention
    const pause = Effect.flatMap(Random.next, (chance) => Effect.sleep(AVERAGE_INTERVAL_MS * (0.5 + chance)))
    yield* forkRounds(Effect.andThen(pause, retention.pruneDue), "removing expired records failed", Effect.void)
  })
)
