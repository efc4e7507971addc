import { Context, type Effect } from "effect"

/** Counts the requests of all processes. */
export class RateLimitStore extends Context.Service<
  RateLimitStore,
  {
    /** Counts one more request of a key in a window, and returns the new count. */
    readonly count: (keyId: string, windowStart: number) => Effect.Effect<number>
  }
>()("@countersign/core/metering/RateLimitStore") {}
