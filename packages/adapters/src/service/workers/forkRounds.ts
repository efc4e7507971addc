import { Effect } from "effect"

/**
 * Runs rounds one after another while the scope exists. Each round itself waits for work or for the next interval. If a
 * round fails, the failure is logged, and the next round starts after a pause.
 */
export const forkRounds = <R, R2 = never>(
  round: Effect.Effect<unknown, never, R>,
  failureMessage: string,
  pauseAfterFailure: Effect.Effect<unknown, never, R2> = Effect.sleep(1_000)
) => {
  const roundOrPause = Effect.catchCause(round, (cause) =>
    Effect.andThen(Effect.logError(failureMessage, cause), pauseAfterFailure)
  )
  return Effect.forkScoped(Effect.forever(roundOrPause))
}
