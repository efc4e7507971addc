import { Context, Effect } from "effect"

/** How long is waited at most for a change: another process may have made it. */
const IDLE_MS = 1_000
/** After a change, so that many of them are looked at once. */
const PAUSE_MS = 20

/** Tells waiting callers that this process stored something. */
export class StoredChanges extends Context.Service<
  StoredChanges,
  {
    /** Counts the changes. Taken before a look at the database, it tells of what came after it. */
    readonly count: () => number
    readonly tell: () => void
    /** Waits until there was a change after this one, or for a second. */
    readonly awaitAfter: (count: number) => Effect.Effect<void>
  }
>()("@countersign/adapters/countersign/StoredChanges") {}

export const storedChanges = (): StoredChanges["Service"] => {
  let count = 0
  const waiting = new Set<() => void>()
  return {
    count: () => count,
    tell: () => {
      count += 1
      for (const wake of waiting) wake()
    },
    awaitAfter: (seen) =>
      Effect.callback<void>((resume) => {
        if (count !== seen) return resume(Effect.void)
        const wake = () => resume(Effect.void)
        waiting.add(wake)
        return Effect.sync(() => waiting.delete(wake))
      }).pipe(Effect.timeoutOption(IDLE_MS), Effect.andThen(Effect.sleep(PAUSE_MS)))
  }
}
