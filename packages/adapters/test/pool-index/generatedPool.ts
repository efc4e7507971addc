import { encodeEventTopics, type Hex, keccak256, numberToHex, parseAbi } from "viem"
import { type Method, RpcFault, serveJsonRpc } from "../evm/emulators/JsonRpcServer.ts"

/** Serves JSON-RPC as the node of a chain with one pool. Each block's events are computed from its number. */

const abi = parseAbi([
  "event Initialize(uint160 sqrtPriceX96, int24 tick)",
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
  "event Flash(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1, uint256 paid0, uint256 paid1)"
])
const [swapTopic] = encodeEventTopics({ abi, eventName: "Swap" })
const [flashTopic] = encodeEventTopics({ abi, eventName: "Flash" })
const [createdTopic] = encodeEventTopics({ abi, eventName: "Initialize" })

export interface GeneratedPool {
  readonly address: Hex
  readonly blocks: number
  /** The time of block 0 in Unix seconds, and the number of seconds between two blocks. */
  readonly startsAt: number
  readonly blockSeconds: number
  /** The block of the pool's first event. */
  readonly createdIn: number
  readonly swapsOfBlock: (block: number) => number
  /** The maximum number of blocks in a request to the node, and of logs in its response. */
  readonly maxRange: number
  readonly maxLogs: number
  /** Whether each log contains the time of its block. */
  readonly hasTimes: boolean
}

export interface GeneratedEvent {
  readonly block: number
  readonly kind: "SWAP" | "FLASH" | "CREATED"
  /** The index of the transaction. Two consecutive events have the same transaction. */
  readonly transaction: number
  readonly amount0: bigint
  readonly amount1: bigint
}

/** Returns the events of a block. As in a pool, the two amounts of a swap have opposite signs. */
export const blockEvents = (pool: GeneratedPool, block: number): ReadonlyArray<GeneratedEvent> => {
  if (block < pool.createdIn) return []
  const creationEvents =
    block === pool.createdIn ? [{ block, kind: "CREATED" as const, transaction: 0, amount0: 0n, amount1: 0n }] : []
  const swaps = Array.from({ length: pool.swapsOfBlock(block) }, (_, i): GeneratedEvent => {
    const size = BigInt(((block * 31 + i * 17) % 9_973) + 1) * 1_000_003n
    const transaction = i >> 1
    if ((block + i) % 50 === 7) return { block, kind: "FLASH", transaction, amount0: size, amount1: size / 3n }
    return (block + i) % 2 === 0
      ? { block, kind: "SWAP", transaction, amount0: size, amount1: -size * 300n }
      : { block, kind: "SWAP", transaction, amount0: -size, amount1: size * 301n }
  })
  return [...creationEvents, ...swaps]
}

const toWord = (value: bigint): string => BigInt.asUintN(256, value).toString(16).padStart(64, "0")

const dataOf = ({ amount0, amount1, kind }: GeneratedEvent): Hex => {
  if (kind === "CREATED") return `0x${toWord(1n << 96n)}${toWord(0n)}`
  const dataValues = kind === "SWAP" ? [amount0, amount1, 1n << 96n, 10n ** 18n, 0n] : [5n, 6n, amount0, amount1]
  return `0x${dataValues.map(toWord).join("")}`
}

const topics = { SWAP: swapTopic!, FLASH: flashTopic!, CREATED: createdTopic! } as const
const hashOf = (block: number, transaction?: number): Hex =>
  transaction === undefined
    ? keccak256(numberToHex(block))
    : `0x${block.toString(16).padStart(32, "0")}${transaction.toString(16).padStart(32, "0")}`

const timeHexOf = ({ blockSeconds, startsAt }: GeneratedPool, block: number): Hex =>
  numberToHex(Math.floor(startsAt + block * blockSeconds))

const anyTopic = `0x${"0".repeat(63)}1`

const logOf = (pool: GeneratedPool, event: GeneratedEvent, logIndex: number) => ({
  address: pool.address,
  topics: event.kind === "CREATED" ? [topics.CREATED] : [topics[event.kind], anyTopic, anyTopic],
  data: dataOf(event),
  blockNumber: numberToHex(event.block),
  blockHash: hashOf(event.block),
  transactionHash: hashOf(event.block, event.transaction),
  transactionIndex: "0x0",
  logIndex: numberToHex(logIndex),
  removed: false,
  ...(pool.hasTimes ? { blockTimestamp: timeHexOf(pool, event.block) } : {})
})

const methodsOf = (pool: GeneratedPool): Readonly<Record<string, Method>> => {
  const blockOf = (number: number) =>
    number >= pool.blocks
      ? null
      : { number: numberToHex(number), hash: hashOf(number), timestamp: timeHexOf(pool, number), transactions: [] }
  return {
    eth_chainId: async () => "0x1",
    eth_blockNumber: async () => numberToHex(pool.blocks - 1),
    eth_getBlockByNumber: async ([tag]) => blockOf(tag === "latest" ? pool.blocks - 1 : Number(tag)),
    eth_getLogs: async ([filter]) => {
      const { fromBlock, toBlock } = filter as { readonly fromBlock: Hex; readonly toBlock: Hex }
      const [from, to] = [Number(fromBlock), Math.min(Number(toBlock), pool.blocks - 1)]
      if (to - from >= pool.maxRange) throw new RpcFault(-32_602, "the range is too large")
      const events: Array<GeneratedEvent> = []
      for (let block = from; block <= to; block++) {
        events.push(...blockEvents(pool, block))
        if (events.length > pool.maxLogs) throw new RpcFault(-32_005, "the answer would have too many logs")
      }
      return events.map((event, i) => logOf(pool, event, i))
    }
  }
}

export const serveGeneratedPool = (pool: GeneratedPool) => serveJsonRpc(methodsOf(pool))
