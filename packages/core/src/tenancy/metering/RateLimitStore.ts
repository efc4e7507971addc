import { Context, type Effect } from "effect"

/** Counts requests for all processes together. */
export class RateLimitStore extends Context.Service<
  RateLimitStore,
  {
    /** Counts one more request of a key in a window, and answers how many there are now. */
    readonly count: (keyId: string, windowStart: number) => Effect.Effect<number>
  }
>()("@countersign/core/metering/RateLimitStore") {}
