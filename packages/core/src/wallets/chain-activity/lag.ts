import type { WatchProgress } from "./Activity.ts"

/** How far the watcher of a chain is behind its head. */
export interface WatchLag {
  readonly blocks: number
  readonly seconds: number
}

/**
 * Seconds since the head was last seen, or, if there are later blocks, since the time of the last block that was read.
 */
export const lagOf = ({ headNumber, headSeenAt, last }: WatchProgress, nowMs: number): WatchLag => {
  const blocks = Math.max(0, headNumber - last.number)
  const since = blocks === 0 ? headSeenAt : Math.min(headSeenAt, last.at * 1_000)
  return { blocks, seconds: Math.max(0, (nowMs - since) / 1_000) }
}
