import { DateTime } from "effect"
import { type ChainId, chainOf } from "../../chains/index.ts"

/** The shortest time between two checks of an operation. */
const SHORTEST_WAIT_MS = 25
const LONGEST_WAIT_MS = 2_000
/** What has not come within this time is not looked for every moment any more. */
const IMPATIENT_MS = 300_000
const RAREST_LOOK_MS = 3_600_000

/**
 * Wait until the next look at an operation that is in no block yet: half of the time it has been on its way, because
 * what comes soon should be seen soon, and no longer than a quarter of the chain's block time. After five minutes a
 * twentieth of that time: what can still execute is looked for as long as it can, at a cost that does not grow.
 */
export const pollDelayMs = (chainId: ChainId, onItsWayMs: number): number => {
  const longest = Math.min(LONGEST_WAIT_MS, Math.floor(chainOf(chainId).blockTimeMs / 4))
  const soon = Math.max(SHORTEST_WAIT_MS, Math.min(longest, Math.floor(onItsWayMs / 2)))
  return onItsWayMs <= IMPATIENT_MS ? soon : Math.min(RAREST_LOOK_MS, Math.floor(onItsWayMs / 20))
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
