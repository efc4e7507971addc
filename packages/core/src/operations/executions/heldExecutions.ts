import { Deferred, Effect } from "effect"
import type { Hash32 } from "../../foundation/primitives/index.ts"
import { isUserOperation } from "../intents/index.ts"
import type { ClaimedExecution } from "./ExecutionStore.ts"

/** Executions that a process keeps between checks. */
const HELD_MAX = 256

/** The executions whose claims this process keeps between two checks. */
export const heldExecutions = () => {
  const held = new Set<{ readonly claim: ClaimedExecution; readonly woken: Deferred.Deferred<void> }>()
  return {
    hasRoom: (): boolean => held.size < HELD_MAX,
    /** Waits for this time, or until an operation of the execution is woken. */
    wait: Effect.fnUntraced(function* (claim: ClaimedExecution, afterMs: number) {
      const woken = yield* Deferred.make<void>()
      const waiting = { claim, woken }
      held.add(waiting)
      yield* Effect.ensuring(
        Effect.raceFirst(Deferred.await(woken), Effect.sleep(afterMs)),
        Effect.sync(() => held.delete(waiting))
      )
    }),
    wake: (operations: ReadonlyArray<Hash32>) =>
      Effect.forEach(
        [...held].filter(({ claim }) =>
          claim.quote.intents.some((intent) => isUserOperation(intent) && operations.includes(intent.hash))
        ),
        ({ woken }) => Deferred.succeed(woken, undefined),
        { discard: true }
      )
  }
}
