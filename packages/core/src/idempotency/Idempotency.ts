import { Clock, Context, DateTime, Effect, Layer, Schema } from "effect"
import { IdempotencyStore, type IdempotentRequest, type StoredAnswer } from "./IdempotencyStore.ts"

/** The key was used for another request. */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>(
  "core/idempotency/IdempotencyKeyReused"
)("IDEMPOTENCY_KEY_REUSED", { key: Schema.String }) {
  override get message(): string {
    return `The idempotency key "${this.key}" was used for another request within the last ${IDEMPOTENCY_HOURS} hours. Use a new one for each request.`
  }
}

/** The first request under the key is still running after the longest time that a repeat waits. */
export class IdempotentRequestRunning extends Schema.TaggedError<IdempotentRequestRunning>(
  "core/idempotency/IdempotentRequestRunning"
)("IDEMPOTENT_REQUEST_RUNNING", { key: Schema.String }) {
  override get message(): string {
    return `The first request under the idempotency key "${this.key}" is still being answered. Repeat this one to get its answer.`
  }
}

/** How long an answer is kept. */
export const IDEMPOTENCY_HOURS = 24

/** Longer than any request can take. */
const LOCK_MS = 60_000
const POLL_MS = 50
const WAIT_MS = 25_000

/** Answers a request under a key once, and its repeats with the same answer. */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Runs `answer` for the first request under the key. Repeats get its answer, also while it is still running and
     * in other processes. An answer for which `store` gives null is not kept, so that a repeat runs again.
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

      const admit = (request: IdempotentRequest) =>
        Effect.flatMap(DateTime.now, (now) =>
          store.admit(request, {
            now,
            lockedUntil: DateTime.add(now, { milliseconds: LOCK_MS }),
            forgetBefore: DateTime.subtract(now, { hours: IDEMPOTENCY_HOURS })
          })
        )

      return Idempotency.of({
        once: Effect.fnUntraced(function* (request, { answer, restore, store: toStored }) {
          const startedAt = yield* Clock.currentTimeMillis
          for (;;) {
            const admission = yield* admit(request)
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
                  Effect.tap((value) => {
                    const storedAnswer = toStored(value)
                    return storedAnswer === null ? store.abandon(request) : store.finish(request, storedAnswer)
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
