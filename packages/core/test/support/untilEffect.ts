import { Effect } from "effect"
import { type UntilOptions, waitUntil } from "./until.ts"

/** Works like `until`, for an effect. It polls in real time, also if the test uses TestClock. */
export const waitUntilEffect = <A, E, R>(
  read: Effect.Effect<A, E, R>,
  isReached: (value: A) => boolean,
  options?: UntilOptions
): Effect.Effect<A, never, R> =>
  Effect.flatMap(Effect.context<R>(), (context) =>
    Effect.promise(() => waitUntil(() => Effect.runPromiseWith(context)(read), isReached, options))
  )
