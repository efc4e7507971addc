import { DateTime } from "effect"
import { type ChainId, chainOf } from "../../../foundation/chains/index.ts"

/** The shortest time between two checks of an operation. */
const SHORTEST_WAIT_MS = 25
/** The longest while it is young, where a quarter of the chain's block time is not less. */
const LONGEST_YOUNG_WAIT_MS = 2_000
const SHORTEST_REJECTED_WAIT_MS = 1_000
const RAREST_LOOK_MS = 3_600_000

/**
 * Wait until the next look at an operation that is in no block yet. At first half of the time that it has been on its
 * way, and no longer than a quarter of the chain's block time, because what comes soon should be seen soon. Then a
 * sixteenth of that time, so that its looks grow with the logarithm of the time. What the bundler has rejected may still
 * be taken, but is looked at only each time that its time on the way has grown by half.
 */
export const pollDelayMs = (chainId: ChainId, onItsWayMs: number, isRejected: boolean): number => {
  const half = Math.floor(onItsWayMs / 2)
  const young = Math.min(LONGEST_YOUNG_WAIT_MS, Math.floor(chainOf(chainId).blockTimeMs / 4), half)
  const delay = isRejected
    ? Math.max(SHORTEST_REJECTED_WAIT_MS, half)
    : Math.max(SHORTEST_WAIT_MS, young, Math.floor(onItsWayMs / 16))
  return Math.min(RAREST_LOOK_MS, delay)
}

/** Milliseconds until the operation may be over, by our clock; null where it has no deadline, or may be over already. */
export const untilOverMs = (deadline: DateTime.Utc | null, finalityMs: number, nowMs: number): number | null => {
  const leftMs = deadline === null ? 0 : DateTime.toEpochMillis(deadline) + finalityMs - nowMs
  return leftMs > 0 ? leftMs : null
}

/**
 * How long after its deadline an operation waits for a chain that makes no blocks: longer than a rollup's sequencer may
 * go back in time for the blocks that it did not make.
 */
const PATIENCE_HOURS = 24

/**
 * Whether an operation that is in no block can't come into one any more: the chain's time is past its deadline by more
 * than a reorganisation takes back.
 */
export const canNoLongerExecute = (
  deadline: DateTime.Utc,
  { finalityMs, head, now }: { readonly now: DateTime.Utc; readonly head: DateTime.Utc; readonly finalityMs: number }
): boolean =>
  DateTime.isGreaterThan(head, DateTime.add(deadline, { milliseconds: finalityMs })) ||
  DateTime.isGreaterThan(now, DateTime.add(deadline, { hours: PATIENCE_HOURS }))
