import { DateTime } from "effect"
import { type ChainId, chainOf } from "../../../foundation/chains/index.ts"
import { growingWaitMs } from "../../../foundation/work/index.ts"

/** The minimum interval between two checks of an operation. */
const MIN_WAIT_MS = 25
/** The maximum interval for a recent operation, unless a quarter of the chain's block time is shorter. */
const MAX_YOUNG_WAIT_MS = 2_000
const MAX_WAIT_MS = 3_600_000
const REJECTED_WAIT = { shortestMs: 1_000, longestMs: MAX_WAIT_MS, share: 1 / 2 }

/**
 * The delay before the next check of an operation that no block includes yet. At first it is half of the time since the
 * submission, to detect an early inclusion quickly, but at most a quarter of the chain's block time. Later it is a
 * sixteenth of the time since the submission. A rejected operation is checked rarely, because the bundler may still
 * include it.
 */
export const pollDelayMs = (chainId: ChainId, onItsWayMs: number, isRejected: boolean): number => {
  if (isRejected) return growingWaitMs(onItsWayMs, REJECTED_WAIT)
  const longestMs = Math.min(MAX_YOUNG_WAIT_MS, Math.floor(chainOf(chainId).blockTimeMs / 4))
  const young = growingWaitMs(onItsWayMs, { shortestMs: MIN_WAIT_MS, longestMs, share: 1 / 2 })
  return growingWaitMs(onItsWayMs, { shortestMs: young, longestMs: MAX_WAIT_MS })
}

/**
 * Milliseconds until the operation may become invalid, by this machine's clock. Null if it has no deadline, or if it
 * may already be invalid.
 */
export const untilOverMs = (deadline: DateTime.Utc | null, finalityMs: number, nowMs: number): number | null => {
  const leftMs = deadline === null ? 0 : DateTime.toEpochMillis(deadline) + finalityMs - nowMs
  return leftMs > 0 ? leftMs : null
}

/**
 * How long to wait after the deadline of an operation if a chain produces no blocks. It exceeds the time by which a
 * rollup's sequencer may backdate missed blocks.
 */
const PATIENCE_HOURS = 24

/**
 * Whether an operation in no block can no longer be included: the chain's time exceeds its deadline by more than the
 * maximum depth of a reorg.
 */
export const canNoLongerExecute = (
  deadline: DateTime.Utc,
  { finalityMs, head, now }: { readonly now: DateTime.Utc; readonly head: DateTime.Utc; readonly finalityMs: number }
): boolean =>
  DateTime.isGreaterThan(head, DateTime.add(deadline, { milliseconds: finalityMs })) ||
  DateTime.isGreaterThan(now, DateTime.add(deadline, { hours: PATIENCE_HOURS }))
