import { Effect, Fiber } from "effect"

interface Run<A, E> {
  readonly fiber: Fiber.Fiber<A, E>
  waiters: number
}

/**
 * Creates a function that shares one run of an effect among all concurrent callers with the same key. The run is
 * interrupted when no caller waits for it. Results are not cached.
 */
export const coalesce = <A, E>(): (<R>(key: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) => {
  const runs = new Map<string, Run<A, E>>()

  const startRun = <R>(key: string, effect: Effect.Effect<A, E, R>) =>
    Effect.map(Effect.forkDetach(Effect.interruptible(effect)), (fiber): Run<A, E> => {
      const run = { fiber, waiters: 0 }
      runs.set(key, run)
      fiber.addObserver(() => {
        if (runs.get(key) === run) runs.delete(key)
      })
      return run
    })

  const removeWaiter = (key: string, run: Run<A, E>) =>
    Effect.suspend(() => {
      run.waiters -= 1
      if (run.waiters > 0 || run.fiber.pollUnsafe() !== undefined) return Effect.void
      runs.delete(key)
      return Fiber.interrupt(run.fiber)
    })

  return (key, effect) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const existingRun = runs.get(key)
        return Effect.flatMap(
          existingRun === undefined ? startRun(key, effect) : Effect.succeed(existingRun),
          (run) => {
            run.waiters += 1
            return Effect.ensuring(restore(Fiber.join(run.fiber)), removeWaiter(key, run))
          }
        )
      })
    )
}
