import { Effect, Queue } from "effect"
import { isUserOperation } from "../intents/index.ts"
import type { ClaimedExecution } from "./ExecutionStore.ts"

/** Maximum number of claims that a process keeps between checks. Above it, a claim is returned after each check. */
const MAX_HELD_CLAIMS = 256

interface HeldClaim {
  readonly claim: ClaimedExecution
  readonly wakes: Queue.Queue<void>
}

/** Waits for wakes of one execution. */
interface Wakes {
  /** Waits for this time, or until the execution is woken. Returns immediately if it was woken since the last wait. */
  readonly wait: (milliseconds: number) => Effect.Effect<void>
  readonly isWoken: () => boolean
}

/** Creates the list of executions that this process has claimed. */
export const heldExecutions = () => {
  const heldClaims = new Set<HeldClaim>()
  return {
    hasRoom: (): boolean => heldClaims.size < MAX_HELD_CLAIMS,
    /** Adds a claim to the list while `use` runs, and collects the wakes of its execution. */
    keep: <A, E, R>(claim: ClaimedExecution, use: (wakes: Wakes) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.flatMap(Queue.sliding<void>(1), (wakes) => {
        const heldClaim: HeldClaim = { claim, wakes }
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
        const isMatch = [id, ...intents.flatMap((intent) => (isUserOperation(intent) ? [intent.hash] : []))].some(
          (subject) => subjects.includes(subject)
        )
        if (isMatch) Queue.offerUnsafe(wakes, undefined)
      }
    }
  }
}
