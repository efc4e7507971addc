import { BoundedMap } from "@countersign/core/foundation/primitives"

/** Maximum number of remembered rejections. An operation beyond it is tried again like a new one. */
const REMEMBERED_MAX = 10_000

/** Minimum interval between two retries of rejected operations. */
const PAUSE_MS = 500

/**
 * Operations that a bundler has rejected, with the reasons. One of them is retried from time to time. The others get
 * the stored result without a check, so that thousands of them cost no more than a few.
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

  /** Why an operation is still rejected; null if this caller may retry it, while other callers may not for a while. */
  standing(key: string, nowMs: number): string | null {
    const reason = this.#reasons.get(key)
    if (reason === undefined) return null
    if (nowMs < this.#nextTryMs) return reason
    this.#nextTryMs = nowMs + PAUSE_MS
    return null
  }
}
