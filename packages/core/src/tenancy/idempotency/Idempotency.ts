import { Clock, Context, DateTime, Effect, Layer, Schema } from "effect"
import { IdempotencyStore, type IdempotentRequest, type StoredResponse } from "./IdempotencyStore.ts"

/** The key was used for a different request. */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>(
  "core/idempotency/IdempotencyKeyReused"
)("IDEMPOTENCY_KEY_REUSED", { key: Schema.String }) {
  override get message(): string {
    return `The idempotency key "${this.key}" was used for another request within the last ${IDEMPOTENCY_HOURS} hours. Use a new key for each request.`
  }
}

/** The first request with the key is still running after the maximum time that a repeated request waits. */
export class IdempotentRequestRunning extends Schema.TaggedError<IdempotentRequestRunning>(
  "core/idempotency/IdempotentRequestRunning"
)("IDEMPOTENT_REQUEST_RUNNING", { key: Schema.String }) {
  override get message(): string {
    return `The first request with the idempotency key "${this.key}" is still running. Repeat the request to get its response.`
  }
}

/** Hours for which responses are stored. */
export const IDEMPOTENCY_HOURS = 24

/**
 * Milliseconds after which a process that has not renewed its lock is treated as dead. This is much shorter than the
 * lifetime of a quote, so that a repeated execution gets its response before the quote expires. It is longer than the
 * clock difference between processes.
 */
const LOCK_MS = 15_000
const RENEW_MS = 5_000
const POLL_MS = 50
const WAIT_MS = 25_000

const lockEnd = (now: DateTime.Utc) => DateTime.add(now, { milliseconds: LOCK_MS })

/**
 * Returns the response of the first request with an idempotency key to repeated requests, instead of running them
 * again.
 */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Runs `respond` for the first request with the key. Repeated requests in all processes get its response, and wait
     * for it while it is still running, at most `WAIT_MS`. If `respond` fails, or if `toStored` returns null, nothing
     * is stored, so a repeated request runs again.
     */
    readonly runOnce: <A, E, R>(
      request: IdempotentRequest,
      run: {
        readonly respond: Effect.Effect<A, E, R>
        readonly toStored: (response: A) => StoredResponse | null
        readonly restore: (stored: StoredResponse) => A
      }
    ) => Effect.Effect<A, E | IdempotencyKeyReused | IdempotentRequestRunning, R>
  }
>()("@countersign/core/idempotency/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const store = yield* IdempotencyStore

      const admit = (request: IdempotentRequest, now: DateTime.Utc, lockedUntil: DateTime.Utc) =>
        store.admit(request, { now, lockedUntil, deleteBefore: DateTime.subtract(now, { hours: IDEMPOTENCY_HOURS }) })

      /** Renews the lock until it is interrupted. If a renewal fails, the next one is the retry. */
      const renewLock = (request: IdempotentRequest, lockedUntil: DateTime.Utc): Effect.Effect<never> =>
        Effect.gen(function* () {
          let currentLockEnd = lockedUntil
          for (;;) {
            yield* Effect.sleep(RENEW_MS)
            const newLockEnd = lockEnd(yield* DateTime.now)
            currentLockEnd = yield* Effect.as(
              store.renew(request, { from: currentLockEnd, to: newLockEnd }),
              newLockEnd
            ).pipe(
              Effect.catchCause((cause) =>
                Effect.as(
                  Effect.logWarning("the lock of an idempotent request could not be renewed", cause),
                  currentLockEnd
                )
              )
            )
          }
        })

      return Idempotency.of({
        runOnce: Effect.fnUntraced(function* (request, { respond: response, restore, toStored }) {
          const startedAt = yield* Clock.currentTimeMillis
          for (;;) {
            const now = yield* DateTime.now
            const lockedUntil = lockEnd(now)
            const admission = yield* admit(request, now, lockedUntil)
            switch (admission._tag) {
              case "Answered":
                return restore(admission.response)
              case "Reused":
                return yield* new IdempotencyKeyReused({ key: request.key })
              case "Running": {
                if ((yield* Clock.currentTimeMillis) - startedAt > WAIT_MS) {
                  return yield* new IdempotentRequestRunning({ key: request.key })
                }
                yield* Effect.sleep(POLL_MS)
                continue
              }
              case "First":
                return yield* response.pipe(
                  Effect.raceFirst(renewLock(request, lockedUntil)),
                  Effect.tap((newResponse) => {
                    const storedResponse = toStored(newResponse)
                    return storedResponse === null ? store.abandon(request) : store.finish(request, storedResponse)
                  }),
                  Effect.onError(() => store.abandon(request))
                )
            }
          }
        })
      })
    })
  )
}
