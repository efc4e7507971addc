import { Context } from "effect"
import { chainOf, type EvmChainId } from "../../../foundation/chains/index.ts"

/** How long an included transaction is tracked. */
export interface FinalityPolicy {
  /** Number of later blocks after which the transaction is no longer tracked. 0 if inclusion is sufficient. */
  readonly blocks: number
  readonly pollEveryMs: number
}

const MIN_WAIT_MS = 1_000
const MAX_WAIT_MS = 15_000

/** Checks about once per block, at intervals of 1 to 15 seconds. */
const defaultPolicy = (chainId: EvmChainId): FinalityPolicy => {
  const { blockTimeMs, finalityBlocks } = chainOf(chainId)
  return {
    blocks: finalityBlocks,
    pollEveryMs: Math.max(MIN_WAIT_MS, Math.min(MAX_WAIT_MS, blockTimeMs))
  }
}

export const Finality = Context.Reference<(chainId: EvmChainId) => FinalityPolicy>(
  "@countersign/core/executions/Finality",
  { defaultValue: () => defaultPolicy }
)
