import { BoundedMap } from "@countersign/core/foundation/primitives"

/** Rejected operations that are remembered. One that is forgotten is tried again like a new one. */
const REMEMBERED_MAX = 10_000

/** Time between two operations that are tried again. */
const PAUSE_MS = 500

/**
 * Operations that a bundler has rejected, and why. One of them is tried again from time to time; the others are told the
 * same again without a look, so that thousands of them cost no more than a few.
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

  /** Why an operation is still rejected; null where it is to be tried, and no other caller tries it for a while. */
  standing(key: string, nowMs: number): string | null {
    const reason = this.#reasons.get(key)
    if (reason === undefined) return null
    if (nowMs < this.#nextTryMs) return reason
    this.#nextTryMs = nowMs + PAUSE_MS
    return null
  }
}
