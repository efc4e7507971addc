import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Array } from "effect"
import { type Hex, numberToHex, type PublicClient } from "viem"
import { type ReadCall, readsOfBlock } from "../../chains/evm/index.ts"
import { HostFailure } from "../../outbound/json-api/index.ts"

/** The block at which state was read. The hash identifies the fork. */
export interface PoolBlock {
  readonly number: bigint
  readonly hash: Hex | null
}

/** Result of a call; null if the call failed or the contract does not exist. */
export type CallResult = Hex | null

export interface MulticallResponse {
  readonly blockNumber: bigint
  /** Unix seconds. */
  readonly timestamp: number
  readonly results: ReadonlyArray<CallResult>
}

/**
 * Maximum number of calls in one `eth_call`. A node allows about 50 million gas, and reading a word of a pool with many
 * ticks needs half a million.
 */
const MAX_CALLS = 80

const tagOf = (block: PoolBlock | null) =>
  block === null ? "latest" : block.hash === null ? numberToHex(block.number) : { blockHash: block.hash }

const multicallOnce = async (
  client: PublicClient,
  chainId: EvmChainId,
  calls: ReadonlyArray<ReadCall>,
  block: PoolBlock | null
): Promise<MulticallResponse> => {
  const reads = readsOfBlock(chainId, calls)
  const returnData = await client.request({ method: "eth_call", params: [reads.call, tagOf(block) as "latest"] })
  const { responses, blockNumber, timestamp } = reads.decode(returnData)
  return {
    blockNumber,
    timestamp,
    results: responses.map((response) =>
      response.success && response.returnData !== "0x" ? response.returnData : null
    )
  }
}

/**
 * Maximum number of repeated reads of a block. A node that imports the next block in the meantime may return the results
 * of that block.
 */
const MAX_REPEATS = 3

/** Makes many reads at a block or at the latest one, in one HTTP request with as few `eth_call`s as possible. */
export const multicall = async (
  client: PublicClient,
  chainId: EvmChainId,
  calls: ReadonlyArray<ReadCall>,
  block: PoolBlock | null,
  repeats = MAX_REPEATS
): Promise<MulticallResponse> => {
  // If there are no calls, only the number and the time of the block are requested.
  const chunks = calls.length === 0 ? [[]] : Array.chunksOf(calls, MAX_CALLS)
  const responses = await Promise.all(chunks.map((chunk) => multicallOnce(client, chainId, chunk, block)))
  const { blockNumber, timestamp } = responses[0]!
  if (responses.some((response) => response.blockNumber !== blockNumber)) {
    if (repeats === 0) throw new HostFailure("it returned results of another block than the requested one")
    // The head changed between two chunks, so all chunks are requested again at one block.
    return multicall(client, chainId, calls, block ?? { number: blockNumber, hash: null }, repeats - 1)
  }
  return { blockNumber, timestamp, results: responses.flatMap(({ results }) => results) }
}
