import { DateTime } from "effect"

/**
 * Default delay as a fraction of the elapsed time. The number of checks grows logarithmically with time, so that
 * pending items do not overload an upstream.
 */
const SIXTEENTH = 1 / 16

interface DelayBounds {
  readonly shortestMs: number
  readonly longestMs: number
  /** Delay as a fraction of the elapsed time. */
  readonly share?: number
}

/** Returns the delay before the next check of a pending item: a share of the elapsed time, within bounds. */
export const growingWaitMs = (elapsedMs: number, { longestMs, share = SIXTEENTH, shortestMs }: DelayBounds): number =>
  Math.min(longestMs, Math.max(shortestMs, Math.floor(elapsedMs * share)))

/** Works like `growingWaitMs`, for the time since an instant. */
export const delayForAgeMs = (since: DateTime.Utc, now: DateTime.Utc, wait: DelayBounds): number =>
  growingWaitMs(DateTime.toEpochMillis(now) - DateTime.toEpochMillis(since), wait)
