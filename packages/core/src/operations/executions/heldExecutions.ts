import { Effect, Queue } from "effect"
import { isUserOperation } from "../intents/index.ts"
import type { ClaimedExecution } from "./ExecutionStore.ts"

/** Executions that a process keeps between checks. */
const HELD_MAX = 256

interface Held {
  readonly claim: ClaimedExecution
  readonly wakes: Queue.Queue<void>
}

/** The executions whose claims this process keeps between two checks. */
export const heldExecutions = () => {
  const held = new Set<Held>()
  return {
    hasRoom: (): boolean => held.size < HELD_MAX,
    /** Keeps a claim while `use` runs. It waits with the given function, which returns early once the execution was woken. */
    keep: <A, E, R>(
      claim: ClaimedExecution,
      use: (wait: (milliseconds: number) => Effect.Effect<void>) => Effect.Effect<A, E, R>
    ): Effect.Effect<A, E, R> =>
      Effect.flatMap(Queue.sliding<void>(1), (wakes) => {
        const kept: Held = { claim, wakes }
        held.add(kept)
        return Effect.ensuring(
          use((milliseconds) => Effect.raceFirst(Queue.take(wakes), Effect.sleep(milliseconds))),
          Effect.sync(() => held.delete(kept))
        )
      }),
    /** Wakes the executions of these quotes and user operations. */
    wake: (subjects: ReadonlyArray<string>): void => {
      for (const { claim, wakes } of held) {
        const { id, intents } = claim.quote
        const isMeant = [id, ...intents.flatMap((intent) => (isUserOperation(intent) ? [intent.hash] : []))].some(
          (subject) => subjects.includes(subject)
        )
        if (isMeant) Queue.offerUnsafe(wakes, undefined)
      }
    }
  }
}
