import { Context, Effect } from "effect"

/** Maximum wait for a change in milliseconds, because another process may have made the change. */
const IDLE_MS = 1_000
/** Pause after a change in milliseconds, so that several changes are handled together. */
const PAUSE_MS = 20

/** Notifies waiting callers of changes that this process has stored. */
export class StoredChanges extends Context.Service<
  StoredChanges,
  {
    /**
     * Returns the number of changes so far. Call it before you read the database, so that later changes are detected.
     */
    readonly count: () => number
    /** Wakes all waiting callers. Returns their number. */
    readonly notify: () => number
    /** Waits for a change after this number, at most one second. */
    readonly awaitAfter: (count: number) => Effect.Effect<void>
  }
>()("@countersign/adapters/countersign/StoredChanges") {}

export const storedChanges = (): StoredChanges["Service"] => {
  let count = 0
  const waitingCallbacks = new Set<() => void>()
  return {
    count: () => count,
    notify: () => {
      count += 1
      const { size } = waitingCallbacks
      for (const wake of waitingCallbacks) wake()
      return size
    },
    awaitAfter: (seenCount) =>
      Effect.callback<void>((resume) => {
        if (count !== seenCount) return resume(Effect.void)
        // Effect runs the returned finalizer only if the wait is interrupted, for example by the timeout.
        const wake = () => {
          waitingCallbacks.delete(wake)
          resume(Effect.void)
        }
        waitingCallbacks.add(wake)
        return Effect.sync(() => waitingCallbacks.delete(wake))
      }).pipe(Effect.timeoutOption(IDLE_MS), Effect.andThen(Effect.sleep(PAUSE_MS)))
  }
}
