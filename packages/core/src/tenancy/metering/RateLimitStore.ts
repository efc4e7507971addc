import { Context, type Effect } from "effect"

/** Counts the requests of all processes. */
export class RateLimitStore extends Context.Service<
  RateLimitStore,
  {
    /** Increments the number of requests of a key in a window. Returns the new number. */
    readonly count: (keyId: string, windowStart: number) => Effect.Effect<number>
  }
>()("@countersign/core/metering/RateLimitStore") {}
