const MAX_SECONDS = 3_600

export interface Clock {
  /** The current time in Unix seconds. Default: the machine's clock. */
  readonly now?: number
  /** Maximum time until a signature expires, in seconds. Default: one hour. */
  readonly maxSeconds?: number
}

/** Returns the current time in Unix seconds. */
export const nowOf = ({ now }: Pick<Clock, "now">): number => now ?? Math.floor(Date.now() / 1_000)

const dateTime = (seconds: number): string => {
  const date = new Date(seconds * 1_000)
  return Number.isNaN(date.getTime()) ? `second ${seconds}` : date.toISOString()
}

/** Returns why `deadline` (Unix seconds) is not acceptable; null if it is. */
export const deadlineProblemOrNull = (
  deadline: number,
  { maxSeconds = MAX_SECONDS, ...clock }: Clock
): string | null => {
  const now = nowOf(clock)
  if (deadline > now && deadline <= now + maxSeconds) return null
  return (
    `It expires at ${dateTime(deadline)}. The verifier's time is ${dateTime(now)}, and it allows at most ` +
    `${maxSeconds} seconds from this time (\`trust.maxSeconds\`). Request a new quote. If the service's clock differs from ` +
    "the verifier's clock, for example after `sandbox clock --advance`, pass the service's time as `trust.now`."
  )
}
