import type { RouteProfile } from "../SwapRequest.ts"

/** The values that determine a quote's rank. */
export interface RankedQuote {
  readonly executable: boolean
  /** The minimum output minus the maximum gas cost, in base units of tokenOut. */
  readonly guaranteed: bigint
  readonly executionSeconds: number
}

const compareByOutput = (a: RankedQuote, b: RankedQuote): number =>
  a.guaranteed === b.guaranteed ? 0 : a.guaranteed > b.guaranteed ? -1 : 1

/**
 * Sorts quotes from best to worst. Executable quotes come first. BEST_OUTPUT and QUICKEST_QUOTE then compare the
 * guaranteed output. FASTEST_BRIDGE compares the duration, and for equal durations the output.
 */
export const sortByProfile = <Q extends RankedQuote>(
  profile: RouteProfile,
  quotes: ReadonlyArray<Q>
): ReadonlyArray<Q> =>
  [...quotes].sort((a, b) => {
    if (a.executable !== b.executable) return a.executable ? -1 : 1
    return profile === "FASTEST_BRIDGE"
      ? a.executionSeconds - b.executionSeconds || compareByOutput(a, b)
      : compareByOutput(a, b)
  })
