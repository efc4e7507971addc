import { BoundedMap } from "@countersign/core/foundation/primitives"

/** Maximum number of remembered rejections. Any other operation is treated like a new one. */
const REMEMBERED_MAX = 10_000

/** Minimum interval between two retries of rejected operations, in milliseconds. */
const PAUSE_MS = 500

/**
 * Operations that a bundler has rejected, and the reasons. At each interval one of them is retried. All others get the
 * stored reason without a new check, so that thousands of them cost no more than a few.
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

  /**
   * Returns why an operation is still rejected. Null if it is not rejected, or if this caller may retry it. Other
   * callers then get the stored reason until the next interval.
   */
  reasonUnlessRetry(key: string, nowMs: number): string | null {
    const reason = this.#reasons.get(key)
    if (reason === undefined) return null
    if (nowMs < this.#nextTryMs) return reason
    this.#nextTryMs = nowMs + PAUSE_MS
    return null
  }
}
