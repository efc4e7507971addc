import { DateTime, Option } from "effect"

/** Waits after the first attempt, the second, and so on, before the next. After the last of them there is none. */
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

/** Most of what chance adds to a wait, so that what failed together does not come back together. */
export const JITTER_SHARE = 0.1

/** An endpoint may ask for a longer wait than the schedule has, up to this. */
export const RETRY_AFTER_MAX_MS = 24 * 3_600_000

/** What came of an attempt. */
export type AttemptOutcome =
  | { readonly _tag: "Answered"; readonly status: number; readonly retryAfter: string | null }
  | { readonly _tag: "Unanswered"; readonly reason: string }
  /** We failed before it was asked. */
  | { readonly _tag: "Fault"; readonly reason: string }

/** What follows from it. */
export type Verdict =
  | { readonly _tag: "Delivered" }
  | { readonly _tag: "Retry"; readonly delayMs: number }
  /** Used up. */
  | { readonly _tag: "GaveUp" }
  /** The endpoint says that it is no more. */
  | { readonly _tag: "Gone" }

/** The wait that a Retry-After header asks for, in milliseconds: of seconds or of a date (RFC 9110). None if unreadable. */
export const retryAfterMs = (header: string | null, now: DateTime.Utc): Option.Option<number> => {
  if (header === null) return Option.none()
  const text = header.trim()
  if (/^\d{1,10}$/u.test(text)) return Option.some(Number(text) * 1_000)
  if (!/^[A-Z][a-z]{2},/u.test(text)) return Option.none()
  return Option.map(DateTime.make(text), (at) => Math.max(0, DateTime.toEpochMillis(at) - DateTime.toEpochMillis(now)))
}

/** Why an attempt does not count as taken; null where it does. Redirects don't: what was signed is for this URL. */
export const attemptError = (outcome: AttemptOutcome): string | null => {
  if (outcome._tag !== "Answered") return outcome.reason
  const { status } = outcome
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `answered ${status}: redirects are not followed`
  return status === 410 ? "answered 410: the endpoint is gone" : `answered ${status}`
}

/**
 * What follows from the attempt that was the `attempts`-th (1 for the first). `chance` is from 0 to 1; it makes a wait
 * longer and never shorter.
 */
export const verdictOf = (attempts: number, outcome: AttemptOutcome, now: DateTime.Utc, chance: number): Verdict => {
  if (attemptError(outcome) === null) return { _tag: "Delivered" }
  if (outcome._tag === "Answered" && outcome.status === 410) return { _tag: "Gone" }
  const scheduled = RETRY_DELAYS_MS[attempts - 1]
  if (scheduled === undefined) return { _tag: "GaveUp" }
  const asked = Option.getOrElse(retryAfterMs(outcome._tag === "Answered" ? outcome.retryAfter : null, now), () => 0)
  return {
    _tag: "Retry",
    delayMs: Math.max(Math.round(scheduled * (1 + JITTER_SHARE * chance)), Math.min(asked, RETRY_AFTER_MAX_MS))
  }
}
