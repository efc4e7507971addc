import { DateTime } from "effect"
import { type ChainId, chainOf } from "../../chains/index.ts"

/** The shortest time between two checks of an operation. */
const SHORTEST_WAIT_MS = 25
const LONGEST_WAIT_MS = 2_000

/**
 * The wait until the next check of an operation that is in no block yet: half of the time since its acceptance, but no
 * longer than a quarter of the chain's block time.
 */
export const pollDelayMs = (chainId: ChainId, onItsWayMs: number): number => {
  const longest = Math.min(LONGEST_WAIT_MS, Math.floor(chainOf(chainId).blockTimeMs / 4))
  return Math.max(SHORTEST_WAIT_MS, Math.min(longest, Math.floor(onItsWayMs / 2)))
}

/** How long after its deadline an operation waits for a chain that makes no blocks. */
const PATIENCE_HOURS = 1

/** Whether an operation that is in no block by the head of the chain can't come into one any more. */
export const hasEnded = (deadline: DateTime.Utc, now: DateTime.Utc, head: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(head, deadline) ||
  DateTime.isGreaterThan(now, DateTime.add(deadline, { hours: PATIENCE_HOURS }))
