import { Clock, Context, Effect, Layer, Schema } from "effect"
import { RateLimitStore } from "./RateLimitStore.ts"

export interface RateLimit {
  readonly requests: number
  readonly windowSeconds: number
}

/** The operator's rate limit for every key. Null if there is no limit. */
export const RateLimitSettings = Context.Reference<RateLimit | null>("@countersign/core/metering/RateLimitSettings", {
  defaultValue: () => null
})

/** A key has used all requests of the current window. It can retry in the next window. */
export class RateLimited extends Schema.TaggedError<RateLimited>("core/metering/RateLimited")("RATE_LIMITED", {
  requests: Schema.Int,
  windowSeconds: Schema.Int,
  retryAfterSeconds: Schema.Int
}) {
  override get message(): string {
    return `This key has reached its limit of ${this.requests} requests in ${this.windowSeconds} seconds. Try again in ${this.retryAfterSeconds} s.`
  }
}

export interface RateLimitState extends RateLimit {
  readonly remaining: number
  readonly resetSeconds: number
}

/** Limits requests per window. Windows have fixed times on the wall clock, so they are the same in all processes. */
export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /** Counts a request of the key. Returns null if no limit is set. Fails if the limit is exceeded. */
    readonly admit: (keyId: string) => Effect.Effect<RateLimitState | null, RateLimited>
  }
>()("@countersign/core/metering/RateLimiter") {
  static readonly layer = Layer.effect(
    RateLimiter,
    Effect.gen(function* () {
      const limit = yield* RateLimitSettings
      const store = yield* RateLimitStore
      return RateLimiter.of({
        admit: Effect.fnUntraced(function* (keyId) {
          if (limit === null) return null
          const { requests, windowSeconds } = limit
          const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
          const start = now - (now % windowSeconds)
          const count = yield* store.count(keyId, start)
          const resetSeconds = start + windowSeconds - now
          if (count > requests) {
            return yield* new RateLimited({ requests, windowSeconds, retryAfterSeconds: resetSeconds })
          }
          return { requests, windowSeconds, remaining: requests - count, resetSeconds }
        })
      })
    })
  )
}
