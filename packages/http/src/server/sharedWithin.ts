import { type Duration, Effect, Fiber } from "effect"

/**
 * An effect that is underway once at most, however many ask for it, and for whose end nobody waits longer than the time
 * given. For queries to a database that may hang: one that was sent can't be taken back, and each would hold a connection.
 */
export const sharedWithin = Effect.fnUntraced(function* <A, E>(effect: Effect.Effect<A, E>, patience: Duration.Input) {
  const scope = yield* Effect.scope
  let latest: Fiber.Fiber<A, E> | null = null
  return Effect.suspend(() =>
    latest !== null && latest.pollUnsafe() === undefined
      ? Fiber.join(latest)
      : Effect.flatMap(Effect.forkIn(effect, scope), (fiber) => {
          latest = fiber
          return Fiber.join(fiber)
        })
  ).pipe(Effect.timeout(patience))
})
