import { Following } from "@countersign/core/executions"
import { OperatorLanes } from "@countersign/core/operator"
import { Effect, Layer } from "effect"

/** Between two questions for news, which cost nothing without any. */
const PAUSE_MS = 100

/** Lets operations be looked at as soon as their transaction is in a block, or out of one, for as long as the layer lives. */
export const layer: Layer.Layer<never, never, OperatorLanes | Following> = Layer.effectDiscard(
  Effect.gen(function* () {
    const lanes = yield* OperatorLanes
    const following = yield* Following
    const round = Effect.gen(function* () {
      const operations = yield* lanes.news
      if (operations.length > 0) yield* following.hasten(operations)
    })
    const survivingRound = Effect.catchCause(round, (cause) =>
      Effect.logError("telling of the operator's transactions failed", cause)
    )
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(survivingRound, Effect.sleep(PAUSE_MS))))
  })
)
