import { Effect } from "effect"

/**
 * Does rounds one after the other, for as long as the scope lives. One that fails is logged, and the next one begins after a
 * pause; a round that does not fail brings its own.
 */
export const forkRounds = <R, R2 = never>(
  round: Effect.Effect<unknown, never, R>,
  failure: string,
  pauseAfterFailure: Effect.Effect<unknown, never, R2> = Effect.sleep(1_000)
) => {
  const survivingRound = Effect.catchCause(round, (cause) =>
    Effect.andThen(Effect.logError(failure, cause), pauseAfterFailure)
  )
  return Effect.forkScoped(Effect.forever(survivingRound))
}
