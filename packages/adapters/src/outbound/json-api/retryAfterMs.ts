/**
 * Parses a Retry-After header (RFC 9110): seconds, or a date, which is compared with `nowMs`. Returns milliseconds;
 * null if there is no valid header.
 */
export const retryAfterMs = (header: string | null | undefined, nowMs: number): number | null => {
  const text = header?.trim() ?? ""
  if (/^\d{1,10}$/u.test(text)) return Number(text) * 1_000
  const atMs = /^[A-Z][a-z]{2},/u.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs)
}
