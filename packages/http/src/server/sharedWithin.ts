import { type Duration, Effect, Fiber } from "effect"

/**
 * An effect that runs at most once at a time. Callers share the run in progress, and wait no longer than the timeout.
 * It is for queries to a database that may hang, where each further query would use another connection.
 */
export const sharedWithin = Effect.fnUntraced(function* <A, E>(effect: Effect.Effect<A, E>, timeout: Duration.Input) {
  const scope = yield* Effect.scope
  let latest: Fiber.Fiber<A, E> | null = null
  return Effect.suspend(() =>
    latest !== null && latest.pollUnsafe() === undefined
      ? Fiber.join(latest)
      : Effect.flatMap(Effect.forkIn(effect, scope), (fiber) => {
          latest = fiber
          return Fiber.join(fiber)
        })
  ).pipe(Effect.timeout(timeout))
})
