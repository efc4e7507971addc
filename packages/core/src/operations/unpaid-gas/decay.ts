/** Milliseconds in which the weight of an entry decreases linearly to zero: two days. */
export const DECAY_MS = 2 * 86_400_000

/** A weight in a sum: a number of operations or an amount of money. */
export interface Weight {
  readonly atMs: number
  readonly weight: bigint
}

/**
 * Returns the milliseconds until an event no longer counts. At most `DECAY_MS`, even if this machine's clock is behind.
 */
export const remainingMs = (atMs: number, nowMs: number): number =>
  Math.min(DECAY_MS, Math.max(0, atMs + DECAY_MS - nowMs))

/** Returns the sum of the remaining weights, multiplied by `DECAY_MS`, so that it is an exact integer. */
export const levelOf = (weights: ReadonlyArray<Weight>, nowMs: number): bigint =>
  weights.reduce((level, { atMs, weight }) => level + weight * BigInt(remainingMs(atMs, nowMs)), 0n)

/**
 * Returns the first millisecond, from now on, at which the level is at most `limit`. `DECAY_MS` after the last event,
 * the level is zero.
 */
export const decayedAtMs = (weights: ReadonlyArray<Weight>, limit: bigint, nowMs: number): number => {
  let [from, to] = [nowMs, Math.max(nowMs, ...weights.map(({ atMs }) => atMs + DECAY_MS))]
  while (from < to) {
    const midpoint = Math.floor((from + to) / 2)
    if (levelOf(weights, midpoint) <= limit) to = midpoint
    else from = midpoint + 1
  }
  return from
}
