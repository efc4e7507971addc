/** Units that a process takes at once, so that a busy project's row is not written for each request. */
const LEASE = 50

/**
 * How many units a process takes of those that remain, given what it needs right now; zero when they do not suffice.
 * Leases shrink as the budget runs out, so that the last units are not held by a process that has no use for them.
 */
export const leaseSize = (remaining: number, needed: number): number =>
  remaining < needed ? 0 : Math.max(needed, Math.min(LEASE, Math.floor(remaining / 16)))
