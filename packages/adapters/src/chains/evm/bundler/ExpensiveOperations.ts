import { BoundedMap } from "@countersign/core/foundation/primitives"

/** Maximum number of remembered operations. Any other operation is treated like a new one. */
const REMEMBERED_MAX = 10_000

/**
 * Pause before the second attempt, in milliseconds. It doubles after each failure, because a trace delays later
 * requests.
 */
const FIRST_PAUSE_MS = 15_000
const MAX_PAUSE_MS = 300_000

interface Pause {
  readonly reason: string
  readonly pauseMs: number
  readonly untilMs: number
}

/**
 * Operations that could not be traced on their own: their calls have become too expensive, or the node has problems.
 * Each is paused, and then tried in a bundle of its own.
 */
export class ExpensiveOperations {
  readonly #pauses = new BoundedMap<string, Pause>(REMEMBERED_MAX)

  has(key: string): boolean {
    return this.#pauses.has(key)
  }

  add(key: string, reason: string, nowMs: number): void {
    const previousPause = this.#pauses.get(key)
    const pauseMs = previousPause === undefined ? FIRST_PAUSE_MS : Math.min(2 * previousPause.pauseMs, MAX_PAUSE_MS)
    this.#pauses.set(key, { reason, pauseMs, untilMs: nowMs + pauseMs })
  }

  /** Returns why an operation must not be tried now; null if it may be tried. */
  pauseReason(key: string, nowMs: number): string | null {
    const pause = this.#pauses.get(key)
    return pause === undefined || nowMs >= pause.untilMs ? null : pause.reason
  }
}
