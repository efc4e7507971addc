/** Units in one lease, so that the row of a busy project is not written for each request. */
const LEASE = 50

/**
 * How many of the remaining units a process leases when it needs some; zero when there are not enough. Leases shrink as
 * the budget runs out, so that no process holds the last units without using them.
 */
export const leaseSize = (remaining: number, needed: number): number =>
  remaining < needed ? 0 : Math.max(needed, Math.min(LEASE, Math.floor(remaining / 16)))
