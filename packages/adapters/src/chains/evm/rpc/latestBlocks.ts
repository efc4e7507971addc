import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Hex } from "viem"
import type { RpcTime } from "./RpcTime.ts"

export interface LatestBlock {
  readonly number: bigint
  readonly hash: Hex
  /** Block timestamp in Unix seconds. */
  readonly timestamp: number
  /** Base fee in wei per unit of gas; null for a chain without a base fee. */
  readonly baseFeePerGas: bigint | null
}

interface BlockRead {
  readonly startedAt: number
  readonly block: Promise<LatestBlock>
}

/** Reads the latest block of each chain. Callers that accept a recently read block share a request. */
export const latestBlocks = (requestBlock: (chainId: EvmChainId) => Promise<LatestBlock>, time: RpcTime) => {
  const readings = new Map<EvmChainId, BlockRead>()
  return (chainId: EvmChainId, maxAgeMs: number): Promise<LatestBlock> => {
    const startedAt = time.now()
    const lastReading = readings.get(chainId)
    if (lastReading !== undefined && startedAt - lastReading.startedAt <= maxAgeMs) return lastReading.block
    const reading: BlockRead = { startedAt, block: requestBlock(chainId) }
    readings.set(chainId, reading)
    // If the request fails, only the callers that share it get the failure. Later callers start a new request.
    reading.block.catch(() => readings.get(chainId) === reading && readings.delete(chainId))
    return reading.block
  }
}
