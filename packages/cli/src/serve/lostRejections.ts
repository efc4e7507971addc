import { Cause, Effect, Layer } from "effect"

/** Logs unhandled promise rejections, because Node would otherwise end the process with all its requests. */
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
