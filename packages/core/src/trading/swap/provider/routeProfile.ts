import type { RouteProfile } from "../SwapRequest.ts"

/** The figures of a quote that decide its place. */
export interface Ranked {
  readonly executable: boolean
  /** The least that it gives, less the most that its gas takes, in base units of tokenOut. */
  readonly guaranteed: bigint
  readonly executionSeconds: number
}

const byOutput = (a: Ranked, b: Ranked): number =>
  a.guaranteed === b.guaranteed ? 0 : a.guaranteed > b.guaranteed ? -1 : 1

/**
 * Orders quotes best to worst. What can be executed comes before what can't; then BEST_OUTPUT and QUICKEST_QUOTE look
 * at the guaranteed output, FASTEST_BRIDGE at the time and, where that is equal, at the output.
 */
export const orderByProfile = <Q extends Ranked>(profile: RouteProfile, quotes: ReadonlyArray<Q>): ReadonlyArray<Q> =>
  [...quotes].sort((a, b) => {
    if (a.executable !== b.executable) return a.executable ? -1 : 1
    return profile === "FASTEST_BRIDGE" ? a.executionSeconds - b.executionSeconds || byOutput(a, b) : byOutput(a, b)
  })
