import { type Duration, Effect, Fiber } from "effect"

/**
 * Wraps an effect so that only one run is in progress at a time. Callers share this run, and each waits no longer than
 * the timeout. Without this, each further query to a database that hangs would occupy another connection.
 */
export const sharedWithTimeout = Effect.fnUntraced(function* <A, E>(
  effect: Effect.Effect<A, E>,
  timeout: Duration.Input
) {
  const scope = yield* Effect.scope
  let latestFiber: Fiber.Fiber<A, E> | null = null
  return Effect.suspend(() =>
    latestFiber !== null && latestFiber.pollUnsafe() === undefined
      ? Fiber.join(latestFiber)
      : Effect.flatMap(Effect.forkIn(effect, scope), (fiber) => {
          latestFiber = fiber
          return Fiber.join(fiber)
        })
  ).pipe(Effect.timeout(timeout))
})
