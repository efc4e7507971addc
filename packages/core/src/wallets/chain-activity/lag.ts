import type { WatchProgress } from "./Activity.ts"

/** How far a chain's watcher is behind the head. */
export interface WatchLag {
  readonly blocks: number
  readonly seconds: number
}

/**
 * Returns how far the watcher is behind. `seconds` is the time since the last poll of the head. If there are unread
 * blocks, it is at least the age of the last block that was read.
 */
export const lagOf = ({ headNumber, headSeenAt, last }: WatchProgress, nowMs: number): WatchLag => {
  const blocks = Math.max(0, headNumber - last.number)
  const sinceMs = blocks === 0 ? headSeenAt : Math.min(headSeenAt, last.at * 1_000)
  return { blocks, seconds: Math.max(0, (nowMs - sinceMs) / 1_000) }
}
