import { Effect, Queue } from "effect"
import { isUserOperation } from "../intents/index.ts"
import type { ClaimedExecution } from "./ExecutionStore.ts"

/** Maximum number of claims that a process keeps between checks. Above it, executions are returned after a check. */
const HELD_MAX = 256

interface Held {
  readonly claim: ClaimedExecution
  readonly wakes: Queue.Queue<void>
}

/** The wakes of one execution. */
interface Wakes {
  /** Waits for this time, or until the execution is woken. Returns immediately if it was woken after the last wait. */
  readonly wait: (milliseconds: number) => Effect.Effect<void>
  readonly isWoken: () => boolean
}

/** The executions that this process has claimed. */
export const heldExecutions = () => {
  const heldClaims = new Set<Held>()
  return {
    hasRoom: (): boolean => heldClaims.size < HELD_MAX,
    /** Collects the wakes of an execution while `use` runs. */
    keep: <A, E, R>(claim: ClaimedExecution, use: (wakes: Wakes) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.flatMap(Queue.sliding<void>(1), (wakes) => {
        const heldClaim: Held = { claim, wakes }
        heldClaims.add(heldClaim)
        return Effect.ensuring(
          use({
            wait: (milliseconds) => Effect.raceFirst(Queue.take(wakes), Effect.sleep(milliseconds)),
            isWoken: () => Queue.sizeUnsafe(wakes) > 0
          }),
          Effect.sync(() => heldClaims.delete(heldClaim))
        )
      }),
    /** Wakes the executions of these quotes and user operations. */
    wake: (subjects: ReadonlyArray<string>): void => {
      for (const { claim, wakes } of heldClaims) {
        const { id, intents } = claim.quote
        const isMeant = [id, ...intents.flatMap((intent) => (isUserOperation(intent) ? [intent.hash] : []))].some(
          (subject) => subjects.includes(subject)
        )
        if (isMeant) Queue.offerUnsafe(wakes, undefined)
      }
    }
  }
}
