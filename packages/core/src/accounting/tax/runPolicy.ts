const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Delays before the second and later attempts. Together they allow ten attempts in about three days. */
const DELAYS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS)
] as const

/** Returns the delay after a failed attempt. Null if no attempt is left. */
export const retryDelayMs = (attempts: number): number | null => DELAYS_MS[attempts - 1] ?? null
