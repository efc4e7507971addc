import { WorkSignals } from "@countersign/core/foundation/work"
import { OperatorLanes } from "@countersign/core/operations/operator"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/**
 * Moves the operator's transactions into blocks, for as long as the layer lives. Any number of processes may run one: one of them
 * watches an operator account at a time.
 */
export const layer: Layer.Layer<never, never, OperatorLanes | WorkSignals> = Layer.effectDiscard(
  Effect.gen(function* () {
    const lanes = yield* OperatorLanes
    const signals = yield* WorkSignals
    const sent = signals.await("OPERATOR_TRANSACTIONS")
    const round = Effect.flatMap(lanes.keepDue, (afterMs) =>
      afterMs === null ? sent : Effect.raceFirst(sent, Effect.sleep(afterMs))
    )
    yield* forkRounds(round, "checking the operator's transactions failed")
  })
)
