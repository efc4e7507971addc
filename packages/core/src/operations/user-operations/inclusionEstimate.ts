import { type ChainId, chainOf } from "../../foundation/chains/index.ts"

/** When a submitted operation should be included: two blocks from now. Several operations wait for each other. */
export const inclusionEstimateMs = (chainId: ChainId, operations = 1): number =>
  2 * operations * chainOf(chainId).blockTimeMs

const GRACE_BLOCKS = 10
const LEAST_GRACE_SECONDS = 60

/**
 * How long a signed operation stays executable on-chain after its quote has expired, so that one that was accepted at
 * the last moment can be included. No longer, because the paymaster is bound to its rate until then.
 */
export const inclusionGraceSeconds = (chainId: ChainId): number =>
  Math.max(LEAST_GRACE_SECONDS, Math.ceil((GRACE_BLOCKS * chainOf(chainId).blockTimeMs) / 1000))
