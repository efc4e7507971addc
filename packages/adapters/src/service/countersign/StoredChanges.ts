import { Context, Effect } from "effect"

/** Maximum wait for a change, because another process may have made it. */
const IDLE_MS = 1_000
/** Pause after a change, so that several changes are checked together. */
const PAUSE_MS = 20

/** Notifies waiting callers of changes that this process has stored. */
export class StoredChanges extends Context.Service<
  StoredChanges,
  {
    /** The number of changes. Read it before the database, to detect later changes. */
    readonly count: () => number
    readonly notify: () => void
    /** Waits for a change after this number, at most one second. */
    readonly awaitAfter: (count: number) => Effect.Effect<void>
  }
>()("@countersign/adapters/countersign/StoredChanges") {}

export const storedChanges = (): StoredChanges["Service"] => {
  let count = 0
  const waiting = new Set<() => void>()
  return {
    count: () => count,
    notify: () => {
      count += 1
      for (const wake of waiting) wake()
    },
    awaitAfter: (seenCount) =>
      Effect.callback<void>((resume) => {
        if (count !== seenCount) return resume(Effect.void)
        const wake = () => resume(Effect.void)
        waiting.add(wake)
        return Effect.sync(() => waiting.delete(wake))
      }).pipe(Effect.timeoutOption(IDLE_MS), Effect.andThen(Effect.sleep(PAUSE_MS)))
  }
}
