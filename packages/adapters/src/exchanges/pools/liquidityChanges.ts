import type { EvmChainId } from "@countersign/core/foundation/chains"
import { encodeEventTopics, type Hex, numberToHex, type PublicClient } from "viem"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { poolAbi, poolManagerAbi } from "./abi.ts"
import type { KnownPool } from "./PoolMemory.ts"
import { isV4Id } from "./poolState.ts"

const [mintTopic] = encodeEventTopics({ abi: poolAbi, eventName: "Mint" })
const [burnTopic] = encodeEventTopics({ abi: poolAbi, eventName: "Burn" })
const [modifyTopic] = encodeEventTopics({ abi: poolManagerAbi, eventName: "ModifyLiquidity" })

/** Maximum number of blocks in a log request, because nodes limit it. A larger range is rarely needed. */
const MAX_BLOCKS = 256n
/**
 * Number of blocks by which a log request overlaps the previous one, whose logs may have come from a node that was one
 * block behind.
 */
const OVERLAP_BLOCKS = 2n

const blockHashAt = async (client: PublicClient, number: bigint): Promise<Hex | null> => {
  const block = await client.request({ method: "eth_getBlockByNumber", params: [numberToHex(number), false] })
  return block?.hash ?? null
}

/**
 * Returns the pools whose ticks may have changed since they were read: pools with a liquidity event, and pools that
 * were read at an orphaned or too old block. Returns all pools if the node returns no logs.
 */
export const changedTicks = async (
  client: PublicClient,
  chainId: EvmChainId,
  knownPools: ReadonlyArray<KnownPool>,
  upTo: bigint | null
): Promise<ReadonlySet<string>> => {
  const ids = knownPools.map(({ pool }) => pool.id as Hex)
  const oldestBlock = knownPools.reduce<bigint | null>(
    (minBlock, { block }) => (minBlock === null || block.number < minBlock ? block.number : minBlock),
    null
  )
  if (oldestBlock === null) return new Set()
  const numbers = [...new Set(knownPools.map(({ block }) => block.number))]
  const toBlock = upTo === null ? ("latest" as const) : numberToHex(upTo)
  const fromBlock = numberToHex(oldestBlock > OVERLAP_BLOCKS ? oldestBlock - OVERLAP_BLOCKS : 0n)
  const logsOf = (address: ReadonlyArray<Hex>, topics: ReadonlyArray<ReadonlyArray<Hex>>) =>
    client.request({
      method: "eth_getLogs",
      params: [{ address: [...address], topics: topics.map((each) => [...each]), fromBlock, toBlock }]
    })
  const contracts = ids.filter((id) => !isV4Id(id))
  const v4Ids = ids.filter(isV4Id)
  const poolManager = deploymentOf(chainId).uniswapV4?.poolManager
  const isTooLong = upTo !== null && upTo - oldestBlock > MAX_BLOCKS
  try {
    if (isTooLong) return new Set(ids)
    const [hashes, logs, v4Logs] = await Promise.all([
      Promise.all(numbers.map((number) => blockHashAt(client, number))),
      contracts.length === 0 ? [] : logsOf(contracts, [[mintTopic!, burnTopic!]]),
      v4Ids.length === 0 ? [] : logsOf([poolManager!], [[modifyTopic!], v4Ids])
    ])
    const hashByNumber = new Map(numbers.map((number, i) => [number, hashes[i]]))
    const reorgedPools = knownPools.filter(
      ({ block }) => block.hash === null || hashByNumber.get(block.number) !== block.hash
    )
    return new Set([
      ...reorgedPools.map(({ pool }) => pool.id),
      ...logs.map(({ address }) => address.toLowerCase()),
      ...v4Logs.map(({ topics }) => topics[1]!)
    ])
  } catch {
    return new Set(ids)
  }
}
