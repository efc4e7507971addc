import type { EvmChainId } from "@countersign/core/foundation/chains"
import { maxBigInt, minBigInt } from "@countersign/core/foundation/primitives"
import { type Hex, numberToHex } from "viem"
import type { LogResponse, RpcClients } from "../../chains/evm/index.ts"

/** Maximum number of blocks in one `eth_getLogs` request that public nodes accept. */
const BLOCKS_PER_BATCH = 10_000n

export interface LogSearch {
  readonly address: Hex
  readonly topics: ReadonlyArray<Hex | ReadonlyArray<Hex> | null>
  readonly fromBlock: bigint
  readonly toBlock: bigint
}

/** A log of an included transaction. */
export interface LocatedLog extends LogResponse {
  readonly blockNumber: Hex
  readonly blockHash: Hex
  readonly transactionHash: Hex
}

export const isLocatedLog = (log: LogResponse): log is LocatedLog =>
  log.blockNumber !== null && log.blockHash !== null && log.transactionHash !== null

/** Reads the events of a contract in a range of blocks, in order. */
export const logsBetween = async (
  rpc: RpcClients["Service"],
  chainId: EvmChainId,
  { address, fromBlock, toBlock, topics }: LogSearch
): Promise<ReadonlyArray<LocatedLog>> => {
  const collectedLogs: Array<LocatedLog> = []
  for (let batchStart = maxBigInt(0n, fromBlock); batchStart <= toBlock; batchStart += BLOCKS_PER_BATCH) {
    const batchEnd = minBigInt(toBlock, batchStart + BLOCKS_PER_BATCH - 1n)
    const filter = { address, topics, fromBlock: numberToHex(batchStart), toBlock: numberToHex(batchEnd) }
    const logs = await rpc.request(chainId, "eth_getLogs", [filter])
    collectedLogs.push(...logs.filter(isLocatedLog))
  }
  return collectedLogs
}

/** Returns the timestamp of a block in Unix seconds; null if the node does not have the block. */
export const blockSeconds = async (
  rpc: RpcClients["Service"],
  chainId: EvmChainId,
  blockHash: Hex
): Promise<number | null> => {
  const block = await rpc.request(chainId, "eth_getBlockByHash", [blockHash, false])
  return block === null ? null : Number(block.timestamp)
}
