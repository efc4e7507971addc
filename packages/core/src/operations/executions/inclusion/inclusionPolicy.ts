import { DateTime } from "effect"
import { type ChainId, chainOf } from "../../../foundation/chains/index.ts"
import { growingWaitMs } from "../../../foundation/work/index.ts"

/** Minimum interval between two checks of an operation. */
const MIN_WAIT_MS = 25
/** Maximum interval for a recent operation. A quarter of the chain's block time applies if it is shorter. */
const MAX_YOUNG_WAIT_MS = 2_000
const MAX_WAIT_MS = 3_600_000
const REJECTED_WAIT = { shortestMs: 1_000, longestMs: MAX_WAIT_MS, share: 1 / 2 }

/**
 * Returns the delay until the next check of an operation that is not included yet. At first it is half of the time
 * since the acceptance, to detect an early inclusion quickly. It is then at most a quarter of the chain's block time,
 * and at most 2 seconds. Later it is a sixteenth of the time since the acceptance. A rejected operation is checked
 * rarely, but not never, because the bundler may still include it.
 */
export const pollDelayMs = (chainId: ChainId, pendingMs: number, isRejected: boolean): number => {
  if (isRejected) return growingWaitMs(pendingMs, REJECTED_WAIT)
  const longestMs = Math.min(MAX_YOUNG_WAIT_MS, Math.floor(chainOf(chainId).blockTimeMs / 4))
  const earlyDelayMs = growingWaitMs(pendingMs, { shortestMs: MIN_WAIT_MS, longestMs, share: 1 / 2 })
  return growingWaitMs(pendingMs, { shortestMs: earlyDelayMs, longestMs: MAX_WAIT_MS })
}

/**
 * Returns the milliseconds, by this machine's clock, until the operation's deadline plus the maximum depth of a reorg.
 * After that, the operation can probably no longer be included. Null if it has no deadline, or if this time has passed.
 */
export const remainingValidityMs = (
  deadline: DateTime.Utc | null,
  finalityMs: number,
  nowMs: number
): number | null => {
  const remainingMs = deadline === null ? 0 : DateTime.toEpochMillis(deadline) + finalityMs - nowMs
  return remainingMs > 0 ? remainingMs : null
}

/**
 * Number of hours after its deadline for which an operation is still tracked if the chain produces no blocks. After an
 * outage, a rollup's sequencer may give the missed blocks earlier timestamps. The difference is smaller than this.
 */
const PATIENCE_HOURS = 24

/**
 * Returns whether an operation that is not included can no longer be included: the chain's time is later than the
 * operation's deadline by more than the maximum depth of a reorg. Also true if this machine's clock is more than
 * `PATIENCE_HOURS` after the deadline.
 */
export const canNoLongerExecute = (
  deadline: DateTime.Utc,
  { finalityMs, head, now }: { readonly now: DateTime.Utc; readonly head: DateTime.Utc; readonly finalityMs: number }
): boolean =>
  DateTime.isGreaterThan(head, DateTime.add(deadline, { milliseconds: finalityMs })) ||
  DateTime.isGreaterThan(now, DateTime.add(deadline, { hours: PATIENCE_HOURS }))
