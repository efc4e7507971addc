import { OperatorLanes } from "@countersign/core/operations/operator"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/**
 * Keeps the operator's transactions on their way to a block, for as long as the layer lives. Any number of processes may
 * run one: each lane is looked after by one of them.
 */
export const layer: Layer.Layer<never, never, OperatorLanes> = Layer.effectDiscard(
  Effect.gen(function* () {
    const lanes = yield* OperatorLanes
    const round = Effect.flatMap(lanes.keepDue, (afterMs) => Effect.sleep(afterMs))
    yield* forkRounds(round, "checking the operator's transactions failed")
  })
)
