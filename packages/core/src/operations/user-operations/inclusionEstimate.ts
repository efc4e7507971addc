import { type ChainId, chainOf } from "../../foundation/chains/index.ts"

/** Estimates the milliseconds until inclusion: two blocks per operation, because operations are included one by one. */
export const inclusionEstimateMs = (chainId: ChainId, operations = 1): number =>
  2 * operations * chainOf(chainId).blockTimeMs

const GRACE_BLOCKS = 10
const MIN_GRACE_SECONDS = 60

/**
 * Returns the number of seconds after a quote's expiry in which its signed operation is still valid on-chain, so that
 * an operation that was accepted late can be included. It is short, because the paymaster must keep its rate until
 * then.
 */
export const inclusionGraceSeconds = (chainId: ChainId): number =>
  Math.max(MIN_GRACE_SECONDS, Math.ceil((GRACE_BLOCKS * chainOf(chainId).blockTimeMs) / 1000))
