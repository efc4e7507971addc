import { type ChainId, chainOf } from "../chains/index.ts"

/** When a submitted operation should be in a block: two blocks from now. */
export const inclusionEstimateMs = (chainId: ChainId): number => 2 * chainOf(chainId).blockTimeMs
