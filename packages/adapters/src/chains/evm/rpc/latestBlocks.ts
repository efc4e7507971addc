import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Hex } from "viem"
import type { RpcTime } from "./RpcTime.ts"

export interface LatestBlock {
  readonly number: bigint
  readonly hash: Hex
  /** Unix seconds. */
  readonly timestamp: number
  /** In wei per unit of gas; null for a chain without a base fee. */
  readonly baseFeePerGas: bigint | null
}

interface Look {
  readonly startedAt: number
  readonly block: Promise<LatestBlock>
}

/** The latest block of each chain. Callers that accept a recently read block share a request. */
export const latestBlocks = (ask: (chainId: EvmChainId) => Promise<LatestBlock>, time: RpcTime) => {
  const looks = new Map<EvmChainId, Look>()
  return (chainId: EvmChainId, maxAgeMs: number): Promise<LatestBlock> => {
    const startedAt = time.now()
    const lastLook = looks.get(chainId)
    if (lastLook !== undefined && startedAt - lastLook.startedAt <= maxAgeMs) return lastLook.block
    const look: Look = { startedAt, block: ask(chainId) }
    looks.set(chainId, look)
    // If the request fails, only the callers that share it get the failure, and later callers start a new request.
    look.block.catch(() => looks.get(chainId) === look && looks.delete(chainId))
    return look.block
  }
}
