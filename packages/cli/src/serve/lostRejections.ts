import { Cause, Effect, Layer } from "effect"

/** Logs a promise that is rejected where no code waits for it. Node would end the process, and everybody's requests. */
export const layerLostRejections = Layer.effectDiscard(
  Effect.gen(function* () {
    const run = Effect.runForkWith(yield* Effect.context<never>())
    const log = (reason: unknown): void => {
      run(Effect.logError("unhandled promise rejection", Cause.die(reason)))
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => process.on("unhandledRejection", log)),
      () => Effect.sync(() => process.off("unhandledRejection", log))
    )
  })
)
