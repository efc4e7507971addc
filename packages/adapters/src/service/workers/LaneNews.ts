import { Following } from "@countersign/core/operations/executions"
import { OperatorLanes } from "@countersign/core/operations/operator"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/** Between two questions for news, which cost nothing without any. */
const pause = Effect.sleep(100)

/** Lets operations be looked at as soon as their transaction is in a block, or out of one, for as long as the layer lives. */
export const layer: Layer.Layer<never, never, OperatorLanes | Following> = Layer.effectDiscard(
  Effect.gen(function* () {
    const lanes = yield* OperatorLanes
    const following = yield* Following
    const round = Effect.gen(function* () {
      const operations = yield* lanes.news
      if (operations.length > 0) yield* following.wake(operations)
      yield* pause
    })
    yield* forkRounds(round, "announcing changes of the operator's transactions failed", pause)
  })
)
