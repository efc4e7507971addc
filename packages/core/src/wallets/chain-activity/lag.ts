import type { WatchProgress } from "./Activity.ts"

/** How far the watch of a chain is behind it. */
export interface WatchLag {
  readonly blocks: number
  readonly seconds: number
}

/** Seconds since its head was last seen, or since the time of the last block that was read, where there are later ones. */
export const lagOf = ({ headNumber, headSeenAt, last }: WatchProgress, nowMs: number): WatchLag => {
  const blocks = Math.max(0, headNumber - last.number)
  const since = blocks === 0 ? headSeenAt : Math.min(headSeenAt, last.at * 1_000)
  return { blocks, seconds: Math.max(0, (nowMs - since) / 1_000) }
}
