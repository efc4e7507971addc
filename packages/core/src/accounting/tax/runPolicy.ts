const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Waits before the second attempt, the third and so on: ten attempts in three days. */
const DELAYS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS)
] as const

/** How long after a failed attempt the next one begins; null where there is none. */
export const retryDelayMs = (attempts: number): number | null => DELAYS_MS[attempts - 1] ?? null
