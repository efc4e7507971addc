import { Clock, Context, DateTime, Effect, Layer, Schema } from "effect"
import { IdempotencyStore, type IdempotentRequest, type StoredAnswer } from "./IdempotencyStore.ts"

/** The key was used for another request. */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>(
  "core/idempotency/IdempotencyKeyReused"
)("IDEMPOTENCY_KEY_REUSED", { key: Schema.String }) {
  override get message(): string {
    return `The idempotency key "${this.key}" was used for another request within the last ${IDEMPOTENCY_HOURS} hours. Use a new key for each request.`
  }
}

/** The first request with the key is still running after the longest time that a repeat waits. */
export class IdempotentRequestRunning extends Schema.TaggedError<IdempotentRequestRunning>(
  "core/idempotency/IdempotentRequestRunning"
)("IDEMPOTENT_REQUEST_RUNNING", { key: Schema.String }) {
  override get message(): string {
    return `The first request under the idempotency key "${this.key}" is still running. Repeat the request to get its response.`
  }
}

/** How long responses are stored. */
export const IDEMPOTENCY_HOURS = 24

/**
 * A process that does not renew its lock within this time counts as dead. Well below the lifetime of a quote, so that a
 * repeated execution is answered in time, and above the clock differences of processes.
 */
const LOCK_MS = 15_000
const RENEW_MS = 5_000
const POLL_MS = 50
const WAIT_MS = 25_000

const lockEnd = (now: DateTime.Utc) => DateTime.add(now, { milliseconds: LOCK_MS })

/** Answers a request with an idempotency key once, and its repeats with the same response. */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Runs `answer` for the first request with the key. Repeats get its response, also while it is still running and in
     * other processes. A response for which `store` returns null is not stored, so that a repeat runs again.
     */
    readonly once: <A, E, R>(
      request: IdempotentRequest,
      run: {
        readonly answer: Effect.Effect<A, E, R>
        readonly store: (answer: A) => StoredAnswer | null
        readonly restore: (stored: StoredAnswer) => A
      }
    ) => Effect.Effect<A, E | IdempotencyKeyReused | IdempotentRequestRunning, R>
  }
>()("@countersign/core/idempotency/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const store = yield* IdempotencyStore

      const admit = (request: IdempotentRequest, now: DateTime.Utc, lockedUntil: DateTime.Utc) =>
        store.admit(request, { now, lockedUntil, forgetBefore: DateTime.subtract(now, { hours: IDEMPOTENCY_HOURS }) })

      /** Renews the lock until it is interrupted. A failed renewal is retried with the next one. */
      const renewing = (request: IdempotentRequest, lockedUntil: DateTime.Utc): Effect.Effect<never> =>
        Effect.gen(function* () {
          let from = lockedUntil
          for (;;) {
            yield* Effect.sleep(RENEW_MS)
            const to = lockEnd(yield* DateTime.now)
            from = yield* Effect.as(store.renew(request, { from, to }), to).pipe(
              Effect.catchCause((cause) =>
                Effect.as(Effect.logWarning("the lock of an idempotent request could not be renewed", cause), from)
              )
            )
          }
        })

      return Idempotency.of({
        once: Effect.fnUntraced(function* (request, { answer, restore, store: toStored }) {
          const startedAt = yield* Clock.currentTimeMillis
          for (;;) {
            const now = yield* DateTime.now
            const lockedUntil = lockEnd(now)
            const admission = yield* admit(request, now, lockedUntil)
            switch (admission._tag) {
              case "Answered":
                return restore(admission.answer)
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
                return yield* answer.pipe(
                  Effect.raceFirst(renewing(request, lockedUntil)),
                  Effect.tap((newAnswer) => {
                    const stored = toStored(newAnswer)
                    return stored === null ? store.abandon(request) : store.finish(request, stored)
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
