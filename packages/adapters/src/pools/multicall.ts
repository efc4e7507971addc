import type { EvmChainId } from "@countersign/core/chains"
import type { Address } from "@countersign/core/primitives"
import { decodeFunctionResult, encodeFunctionData, type Hex, hexToBigInt, numberToHex, type PublicClient } from "viem"
import { deploymentOf } from "../deployments/index.ts"
import { blockNumberOf, blockNumberReads, multicall3Abi } from "../evm/index.ts"

/** The block that state is of. Without a hash it could not be told which block that was. */
export interface PoolBlock {
  readonly number: bigint
  readonly hash: Hex | null
}

export interface ReadCall {
  readonly target: Address
  readonly callData: Hex
}

/** What a call returned; null where it failed, or where there is no contract. */
export type CallResult = Hex | null

export interface MulticallAnswer {
  readonly blockNumber: bigint
  /** Unix seconds. */
  readonly timestamp: number
  readonly results: ReadonlyArray<CallResult>
}

/** A node gives an `eth_call` some 50 million gas: a word of a dense pool takes half a million of it. */
const MAX_CALLS = 80

const tagOf = (block: PoolBlock | null) =>
  block === null ? "latest" : block.hash === null ? numberToHex(block.number) : { blockHash: block.hash }

const timestampData = encodeFunctionData({ abi: multicall3Abi, functionName: "getCurrentBlockTimestamp" })

const multicallOnce = async (
  client: PublicClient,
  chainId: EvmChainId,
  calls: ReadonlyArray<ReadCall>,
  block: PoolBlock | null
): Promise<MulticallAnswer> => {
  const multicall3 = deploymentOf(chainId).multicall3
  const numberReads = blockNumberReads(chainId, multicall3)
  const reads = [
    ...numberReads,
    { target: multicall3, callData: timestampData },
    ...calls.map(({ callData, target }) => ({ target, callData }))
  ]
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: "aggregate3",
    args: [reads.map((read) => ({ ...read, allowFailure: true }))]
  })
  const returnData = await client.request({
    method: "eth_call",
    params: [{ to: multicall3, data }, tagOf(block) as "latest"]
  })
  const answers = decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data: returnData })
  const [timestamp, ...results] = answers.slice(numberReads.length)
  return {
    blockNumber: blockNumberOf(answers.slice(0, numberReads.length)),
    timestamp: Number(hexToBigInt(timestamp!.returnData)),
    // A call to an address without code succeeds and returns nothing.
    results: results.map((result) => (result.success && result.returnData.length > 2 ? result.returnData : null))
  }
}

/** Many reads at a block, or at the latest: as few `eth_call`s as their gas allows, which share one HTTP request. */
export const multicall = async (
  client: PublicClient,
  chainId: EvmChainId,
  calls: ReadonlyArray<ReadCall>,
  block: PoolBlock | null
): Promise<MulticallAnswer> => {
  const chunks: Array<ReadonlyArray<ReadCall>> = []
  for (let start = 0; start === 0 || start < calls.length; start += MAX_CALLS) {
    chunks.push(calls.slice(start, start + MAX_CALLS))
  }
  const answers = await Promise.all(chunks.map((chunk) => multicallOnce(client, chainId, chunk, block)))
  const { blockNumber, timestamp } = answers[0]!
  // Where the chain went on between two of them they are asked again for one block.
  if (answers.some((answer) => answer.blockNumber !== blockNumber)) {
    return multicall(client, chainId, calls, { number: blockNumber, hash: null })
  }
  return { blockNumber, timestamp, results: answers.flatMap(({ results }) => results) }
}
