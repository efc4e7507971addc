import { WorkSignals } from "@countersign/core/foundation/work"
import { OperatorAccounts } from "@countersign/core/operations/operator"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/**
 * Watches the operator's transactions while the layer exists, and sends them again or replaces them if necessary.
 * Several processes may run this worker, because each process claims different operator accounts.
 */
export const layer: Layer.Layer<never, never, OperatorAccounts | WorkSignals> = Layer.effectDiscard(
  Effect.gen(function* () {
    const operatorAccounts = yield* OperatorAccounts
    const signals = yield* WorkSignals
    const awaitTransactions = signals.await("OPERATOR_TRANSACTIONS")
    const round = Effect.flatMap(operatorAccounts.checkDue, (afterMs) =>
      afterMs === null ? awaitTransactions : Effect.raceFirst(awaitTransactions, Effect.sleep(afterMs))
    )
    yield* forkRounds(round, "checking the operator's transactions failed")
  })
)
