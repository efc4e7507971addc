import { type ChainId, chainOf } from "../../foundation/chains/index.ts"

/** Estimates the milliseconds until inclusion: two blocks per operation, because operations are included one by one. */
export const inclusionEstimateMs = (chainId: ChainId, operations = 1): number =>
  2 * operations * chainOf(chainId).blockTimeMs

const GRACE_BLOCKS = 10
const MIN_GRACE_SECONDS = 60

/**
 * Returns the number of seconds for which a signed operation stays valid on-chain after its quote has expired. An
 * operation that was accepted late can then still be included. The time is short, because the paymaster must keep its
 * rate until then.
 */
export const inclusionGraceSeconds = (chainId: ChainId): number =>
  Math.max(MIN_GRACE_SECONDS, Math.ceil((GRACE_BLOCKS * chainOf(chainId).blockTimeMs) / 1000))
