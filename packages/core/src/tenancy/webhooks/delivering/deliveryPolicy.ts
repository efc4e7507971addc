/**
 * Delays in milliseconds after the first failed attempt, after the second, and so on. The number of attempts is one
 * higher than the number of delays.
 */
export const RETRY_DELAYS_MS: ReadonlyArray<number> = [
  5_000,
  5 * 60_000,
  30 * 60_000,
  2 * 3_600_000,
  5 * 3_600_000,
  10 * 3_600_000,
  14 * 3_600_000,
  20 * 3_600_000,
  24 * 3_600_000
]

/**
 * Maximum random extension of a delay, as a share of the delay. It spreads the retries of deliveries that failed at the
 * same time.
 */
export const JITTER_SHARE = 0.1

/** Maximum delay that an endpoint can request. */
export const RETRY_AFTER_MAX_MS = 24 * 3_600_000

export type AttemptOutcome =
  | { readonly _tag: "Answered"; readonly status: number; readonly retryAfterMs: number | null }
  | { readonly _tag: "Unanswered"; readonly reason: string }
  /** This service failed before it sent the request. */
  | { readonly _tag: "Fault"; readonly reason: string }

/** What happens to the delivery after the attempt. */
export type Verdict =
  | { readonly _tag: "Delivered" }
  | { readonly _tag: "Retry"; readonly delayMs: number }
  /** No attempts are left. */
  | { readonly _tag: "GaveUp" }
  /** The endpoint responded with 410 Gone. */
  | { readonly _tag: "Gone" }

/**
 * Returns the reason of a failed attempt. Null if it succeeded. A redirect is a failure, because the delivery was
 * signed for the original URL.
 */
export const attemptError = (outcome: AttemptOutcome): string | null => {
  if (outcome._tag !== "Answered") return outcome.reason
  const { status } = outcome
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `responded with ${status}: redirects are not followed`
  return status === 410 ? "responded with 410: the endpoint no longer exists" : `responded with ${status}`
}

/** Decides what follows the attempt with this number (1 for the first). `chance`, from 0 to 1, extends the delay. */
export const verdictOf = (attempts: number, outcome: AttemptOutcome, chance: number): Verdict => {
  if (attemptError(outcome) === null) return { _tag: "Delivered" }
  if (outcome._tag === "Answered" && outcome.status === 410) return { _tag: "Gone" }
  const delayMs = RETRY_DELAYS_MS[attempts - 1]
  if (delayMs === undefined) return { _tag: "GaveUp" }
  const requestedDelayMs = outcome._tag === "Answered" ? (outcome.retryAfterMs ?? 0) : 0
  return {
    _tag: "Retry",
    delayMs: Math.max(Math.round(delayMs * (1 + JITTER_SHARE * chance)), Math.min(requestedDelayMs, RETRY_AFTER_MAX_MS))
  }
}
