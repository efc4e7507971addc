import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import {
  BlockGone,
  type BlockMark,
  type BlockRange,
  type EventsOfRange,
  type PoolAddress,
  PoolEvents,
  RangeRefused
} from "@countersign/core/trading/pools"
import { Effect, Layer } from "effect"
import { numberToHex, type PublicClient } from "viem"
import { hash32FromHex, RpcClients } from "../../chains/evm/index.ts"
import { eventFromLog, eventTopics, isInBlock, type PoolLog } from "./poolLogs.ts"

const HOUR_SECONDS = 3_600

const hourOfTime = (seconds: number): number => Math.floor(seconds / HOUR_SECONDS)

/**
 * Determines the hours of these blocks, which are between two blocks with known times and in ascending order. Blocks
 * between two blocks of the same hour need no request, because block times never decrease.
 */
export const hoursOfBlocks = async (
  numbers: ReadonlyArray<number>,
  first: BlockMark,
  last: BlockMark,
  timeOf: (block: number) => Promise<number>
): Promise<ReadonlyMap<number, number>> => {
  const hours = new Map<number, number>()
  const assignHours = async (blockNumbers: ReadonlyArray<number>, lowHour: number, highHour: number): Promise<void> => {
    if (blockNumbers.length === 0) return
    if (lowHour === highHour) {
      for (const number of blockNumbers) hours.set(number, lowHour)
      return
    }
    const middleIndex = blockNumbers.length >> 1
    const hour = hourOfTime(await timeOf(blockNumbers[middleIndex]!))
    hours.set(blockNumbers[middleIndex]!, hour)
    await Promise.all([
      assignHours(blockNumbers.slice(0, middleIndex), lowHour, hour),
      assignHours(blockNumbers.slice(middleIndex + 1), hour, highHour)
    ])
  }
  await assignHours(numbers, hourOfTime(first.at), hourOfTime(last.at))
  return hours
}

const NODE = "The chain's node"

const missingBlock = (number: number) =>
  new UpstreamUnavailable({ upstream: NODE, reason: `it does not have block ${number}` })

/** Reads the number, hash and time of a block; null if the node does not have the block. */
const markOf = async (client: PublicClient, number: number): Promise<BlockMark | null> => {
  const block = await client.request({ method: "eth_getBlockByNumber", params: [numberToHex(number), false] })
  if (block?.hash == null) return null
  return { number, hash: hash32FromHex(block.hash), at: Number(block.timestamp) }
}

const logsOf = async (client: PublicClient, { address }: PoolAddress, { from, to }: BlockRange) => {
  const logs = await client.request({
    method: "eth_getLogs",
    params: [{ address, topics: [[...eventTopics]], fromBlock: numberToHex(from), toBlock: numberToHex(to) }]
  })
  return logs.filter(isInBlock)
}

const reasonOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message.split("\n")[0]! : "unknown")

const eventsOf = async (client: PublicClient, logs: ReadonlyArray<PoolLog>, first: BlockMark, last: BlockMark) => {
  const blocksWithoutTime = logs.flatMap(({ blockNumber, blockTimestamp }) =>
    blockTimestamp == null ? [Number(blockNumber)] : []
  )
  const hours = await hoursOfBlocks(
    [...new Set(blocksWithoutTime)].sort((a, b) => a - b),
    first,
    last,
    async (number) => {
      const mark = await markOf(client, number)
      if (mark === null) throw missingBlock(number)
      return mark.at
    }
  )
  return logs.map((log) =>
    eventFromLog(
      log,
      log.blockTimestamp == null ? hours.get(Number(log.blockNumber))! : hourOfTime(Number(log.blockTimestamp))
    )
  )
}

/**
 * Reads logs and blocks. Throws the port's errors. Requests them concurrently, so that the responses probably come from
 * one node.
 */
const readEvents = async (
  client: PublicClient,
  pool: PoolAddress,
  range: BlockRange,
  anchor: BlockMark | null
): Promise<EventsOfRange> => {
  const [anchorMark, first, last, logs] = await Promise.all([
    anchor === null ? null : markOf(client, anchor.number),
    markOf(client, range.from),
    markOf(client, range.to),
    logsOf(client, pool, range).catch((thrown: unknown) => new RangeRefused({ reason: reasonOf(thrown) }))
  ])
  if (anchor !== null && anchorMark === null) throw missingBlock(anchor.number)
  if (anchor !== null && anchorMark!.hash !== anchor.hash) throw new BlockGone({ number: anchor.number })
  if (first === null || last === null) throw missingBlock(range.to)
  if (logs instanceof RangeRefused) throw logs
  if (logs.some(({ blockHash, blockNumber }) => Number(blockNumber) === range.to && blockHash !== last.hash)) {
    throw new UpstreamUnavailable({
      upstream: NODE,
      reason: `it returned two different blocks with number ${range.to}, from two forks or two nodes`
    })
  }
  return { first, last, events: await eventsOf(client, logs, first, last) }
}

const isKnownFailure = (value: unknown): value is RangeRefused | BlockGone =>
  value instanceof RangeRefused || value instanceof BlockGone

/** Reads logs from the chain's nodes. */
export const layer = Layer.effect(
  PoolEvents,
  Effect.gen(function* () {
    const rpc = yield* RpcClients
    return PoolEvents.of({
      readHead: (chainId) => rpc.call(chainId, async () => Number((await rpc.latestBlock(chainId, 0)).number)),
      listBetween: Effect.fn("ViemPoolEvents.between")(function* (pool, range, anchor) {
        const response = yield* rpc.call(pool.chainId, (client) =>
          readEvents(client, pool, range, anchor).catch((thrown: unknown) => {
            if (isKnownFailure(thrown)) return thrown
            throw thrown
          })
        )
        return isKnownFailure(response) ? yield* Effect.fail(response) : response
      })
    })
  })
)
