import { type Duration, Effect, Fiber } from "effect"

/**
 * Wraps an effect so that it runs at most once concurrently. Callers share the run in progress, and each waits no
 * longer than the timeout. This is for queries to a database that may hang, where each further query would occupy
 * another connection.
 */
export const sharedWithTimeout = Effect.fnUntraced(function* <A, E>(
  effect: Effect.Effect<A, E>,
  timeout: Duration.Input
) {
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
