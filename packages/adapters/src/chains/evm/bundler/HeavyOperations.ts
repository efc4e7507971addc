import { BoundedMap } from "@countersign/core/foundation/primitives"

/** Operations that are remembered. One that is forgotten is tried again like a new one. */
const REMEMBERED_MAX = 10_000

/** Until it is tried again. Each time it is too heavy again it waits twice as long: a trace holds up what is sent after it. */
const FIRST_PAUSE_MS = 15_000
const LONGEST_PAUSE_MS = 300_000

interface Pause {
  readonly reason: string
  readonly pauseMs: number
  readonly untilMs: number
}

/**
 * Operations that the node could not trace, each by itself: what they call has become too heavy, or the node is in trouble.
 * They stand back for a while, and then are tried alone.
 */
export class HeavyOperations {
  readonly #pauses = new BoundedMap<string, Pause>(REMEMBERED_MAX)

  has(key: string): boolean {
    return this.#pauses.has(key)
  }

  add(key: string, reason: string, nowMs: number): void {
    const before = this.#pauses.get(key)
    const pauseMs = before === undefined ? FIRST_PAUSE_MS : Math.min(2 * before.pauseMs, LONGEST_PAUSE_MS)
    this.#pauses.set(key, { reason, pauseMs, untilMs: nowMs + pauseMs })
  }

  /** Why an operation is not to be tried now; null where it may be. */
  standing(key: string, nowMs: number): string | null {
    const pause = this.#pauses.get(key)
    return pause === undefined || nowMs >= pause.untilMs ? null : pause.reason
  }
}
