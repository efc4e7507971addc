import { Retention } from "@countersign/core/tenancy/retention"
import { Effect, Layer, Random } from "effect"
import { forkRounds } from "./forkRounds.ts"

/** Between two rounds passes from half of this to one and a half times it, so that processes do not prune together. */
const EVERY_MS = 5 * 60_000

/**
 * Removes what was kept long enough, every few minutes for as long as the layer lives. Any number of processes may run
 * one. A round that fails is logged, and the next one takes up what it left.
 */
export const layer: Layer.Layer<never, never, Retention> = Layer.effectDiscard(
  Effect.gen(function* () {
    const retention = yield* Retention
    const pause = Effect.flatMap(Random.next, (chance) => Effect.sleep(EVERY_MS * (0.5 + chance)))
    yield* forkRounds(Effect.andThen(pause, retention.pruneDue), "removing expired records failed", Effect.void)
  })
)
