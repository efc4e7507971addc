import { BoundedMap } from "@countersign/core/foundation/primitives"

/** Maximum number of remembered rejections. A removed operation is tried again like a new one. */
const REMEMBERED_MAX = 10_000

/** Interval between two operations that are tried again. */
const PAUSE_MS = 500

/**
 * Operations that a bundler has rejected, with the reasons. One of them is tried again from time to time; the others
 * get the same result without a check, so that thousands cost no more than a few.
 */
export class Rejections {
  readonly #reasons = new BoundedMap<string, string>(REMEMBERED_MAX)
  #nextTryMs = 0

  has(key: string): boolean {
    return this.#reasons.has(key)
  }

  add(key: string, reason: string): void {
    this.#reasons.set(key, reason)
  }

  /** Why an operation is still rejected; null if it may be tried, and no other caller tries it for a while. */
  standing(key: string, nowMs: number): string | null {
    const reason = this.#reasons.get(key)
    if (reason === undefined) return null
    if (nowMs < this.#nextTryMs) return reason
    this.#nextTryMs = nowMs + PAUSE_MS
    return null
  }
}
