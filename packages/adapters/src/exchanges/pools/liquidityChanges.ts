import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
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
/** Minimum overlap in blocks. An RPC host that is 10 blocks behind still receives requests (`maxLagBlocks`). */
const MIN_OVERLAP_BLOCKS = 12
/** Behind the URL of one host there may be several nodes, some of them a few seconds behind. */
const OVERLAP_MS = 10_000

/**
 * Returns the number of blocks by which a log request overlaps the previous one. The logs may come from another node
 * than the pools, and the block up to which this node knows the logs is unknown.
 */
const overlapOf = (chainId: EvmChainId): bigint =>
  BigInt(Math.max(MIN_OVERLAP_BLOCKS, Math.ceil(OVERLAP_MS / chainOf(chainId).blockTimeMs)))

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
  const overlap = overlapOf(chainId)
  const fromBlock = numberToHex(oldestBlock > overlap ? oldestBlock - overlap : 0n)
  const ticksBlockById = new Map(knownPools.map(({ pool, ticksBlock }) => [pool.id, ticksBlock]))
  /** Most events of the overlap are older than the ticks, so they need no further read. */
  const idsChangedBy = (events: ReadonlyArray<{ readonly id: string; readonly blockNumber: Hex | null }>) =>
    events.flatMap(({ blockNumber, id }) =>
      blockNumber === null || BigInt(blockNumber) > (ticksBlockById.get(id) ?? -1n) ? [id] : []
    )
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
      ...idsChangedBy(logs.map(({ address, blockNumber }) => ({ id: address.toLowerCase(), blockNumber }))),
      ...idsChangedBy(v4Logs.map(({ blockNumber, topics }) => ({ id: topics[1]!, blockNumber })))
    ])
  } catch {
    return new Set(ids)
  }
}
