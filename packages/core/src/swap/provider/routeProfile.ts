import type { RouteProfile } from "../SwapRequest.ts"

/** What of a quote decides its place. */
export interface Ranked {
  readonly executable: boolean
  /** Base units. */
  readonly minAmountOut: bigint
  readonly executionSeconds: number
}

const byOutput = (a: Ranked, b: Ranked): number =>
  a.minAmountOut === b.minAmountOut ? 0 : a.minAmountOut > b.minAmountOut ? -1 : 1

/**
 * Orders quotes best to worst. What can be executed comes before what can't; then BEST_OUTPUT and QUICKEST_QUOTE look
 * at the guaranteed output, FASTEST_BRIDGE at the time and, where that is equal, at the output.
 */
export const orderByProfile = <Q extends Ranked>(profile: RouteProfile, quotes: ReadonlyArray<Q>): ReadonlyArray<Q> =>
  [...quotes].sort((a, b) => {
    if (a.executable !== b.executable) return a.executable ? -1 : 1
    return profile === "FASTEST_BRIDGE" ? a.executionSeconds - b.executionSeconds || byOutput(a, b) : byOutput(a, b)
  })
