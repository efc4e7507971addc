/** An hour. */
const MAX_SECONDS = 3_600

export interface Clock {
  /** Unix seconds of now: the machine's clock when left out. */
  readonly now?: number
  /** For how long a signature may be valid: an hour when left out. */
  readonly maxSeconds?: number
}

/** Unix seconds. */
export const nowOf = ({ now }: Pick<Clock, "now">): number => now ?? Math.floor(Date.now() / 1_000)

const dateTime = (seconds: number): string => {
  const date = new Date(seconds * 1_000)
  return Number.isNaN(date.getTime()) ? `second ${seconds}` : date.toISOString()
}

/** Why a signature that is valid until `deadline`, in Unix seconds, must not be made; null where it may. */
export const deadlineProblemOrNull = (
  deadline: number,
  { maxSeconds = MAX_SECONDS, ...clock }: Clock
): string | null => {
  const now = nowOf(clock)
  if (deadline > now && deadline <= now + maxSeconds) return null
  return (
    `It expires at ${dateTime(deadline)}. The verifier's clock says ${dateTime(now)}, and allows at most ` +
    `${maxSeconds} seconds from then (\`trust.maxSeconds\`). Request a new quote. If the service's clock differs from ` +
    "this one, as that of a sandbox after `sandbox clock --advance`, pass its time as `trust.now`."
  )
}
