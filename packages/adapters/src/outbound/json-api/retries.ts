import { Duration, Effect, Random, Schedule } from "effect"
import { withJitter } from "./CircuitBreaker.ts"
import { HostFailure } from "./HostFailure.ts"

const MAX_RETRIES = 2
const FIRST_DELAY_MS = 50
/** Maximum delay before a retry, in milliseconds. If the host requests a longer delay, the request fails. */
export const MAX_DELAY_MS = 1_500

const retryAfterMsOf = (failure: unknown): number => (failure instanceof HostFailure ? (failure.retryAfterMs ?? 0) : 0)

/**
 * Two retries after about 50 and 100 ms, plus the delay that the host requests. The schedule's input is the failure.
 */
export const retryDelays = Schedule.exponential(FIRST_DELAY_MS).pipe(
  Schedule.upTo({ times: MAX_RETRIES }),
  Schedule.setInputType<unknown>(),
  Schedule.modifyDelay(({ duration, input }) =>
    Effect.map(Random.next, (random) =>
      Duration.millis(retryAfterMsOf(input) + withJitter(Duration.toMillis(duration), { random: () => random }))
    )
  )
)

const MAX_TOKENS = 10
const TOKENS_PER_SUCCESS = 0.1

/**
 * Stops the retries if many requests fail, so that they do not multiply the load of a failing host. A failure costs one
 * token, and a success returns a tenth of a token.
 * https://github.com/grpc/proposal/blob/master/A6-client-retries.md#throttling-retry-attempts-and-hedged-rpcs
 */
export class RetryBudget {
  #tokens = MAX_TOKENS

  get allowsRetry(): boolean {
    return this.#tokens > MAX_TOKENS / 2
  }

  recordSuccess(): void {
    this.#tokens = Math.min(MAX_TOKENS, this.#tokens + TOKENS_PER_SUCCESS)
  }

  recordFailure(): void {
    this.#tokens = Math.max(0, this.#tokens - 1)
  }
}
