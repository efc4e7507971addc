import { setMaxListeners } from "node:events"
import { Effect, Exit, type Layer, ManagedRuntime } from "effect"
import { closedError, errorOf } from "./errorOf.ts"
import type { CountersignServices } from "./layerCountersign.ts"

/**
 * Runs an effect with the services. Failures become a `CountersignError`. If the signal is aborted, the promise rejects
 * with the signal's reason.
 */
export type Run = <A>(effect: Effect.Effect<A, unknown, CountersignServices>, signal?: AbortSignal) => Promise<A>

export interface Session {
  readonly run: Run
  /** Ends running calls, and then the services. Idempotent. */
  readonly close: () => Promise<void>
}

/** Starts the services, which run until they are closed. */
export const openSession = async (layer: Layer.Layer<CountersignServices, unknown>): Promise<Session> => {
  const runtime = ManagedRuntime.make(layer)
  const startExit = await runtime.runPromiseExit(Effect.void)
  if (Exit.isFailure(startExit)) {
    await runtime.dispose()
    throw errorOf(startExit.cause)
  }

  const closeController = new AbortController()
  setMaxListeners(0, closeController.signal)
  const runningPromises = new Set<Promise<unknown>>()
  let closePromise: Promise<void> | undefined

  const run: Run = async (effect, signal) => {
    if (closePromise !== undefined) throw closedError()
    signal?.throwIfAborted()
    const combinedSignal =
      signal === undefined ? closeController.signal : AbortSignal.any([closeController.signal, signal])
    const pendingExit = runtime.runPromiseExit(effect, { signal: combinedSignal })
    runningPromises.add(pendingExit)
    const exit = await pendingExit
    runningPromises.delete(pendingExit)
    if (Exit.isSuccess(exit)) return exit.value
    signal?.throwIfAborted()
    throw errorOf(exit.cause)
  }

  return {
    run,
    close: () => {
      closePromise ??= (async () => {
        closeController.abort()
        await Promise.all(runningPromises)
        await runtime.dispose()
      })()
      return closePromise
    }
  }
}
