import { Hash32 } from "@countersign/core/foundation/primitives"
import type { PoolEvent } from "@countersign/core/trading/pools"
import { encodeEventTopics, type Hex, parseAbi, type RpcLog } from "viem"
import { wordAt } from "../../chains/evm/index.ts"

/** The events of UniswapV3Pool that user actions emit. */
const eventsAbi = parseAbi([
  "event Initialize(uint160 sqrtPriceX96, int24 tick)",
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
  "event Flash(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1, uint256 paid0, uint256 paid1)",
  "event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)"
])

const topicOf = (eventName: (typeof eventsAbi)[number]["name"]): Hex =>
  encodeEventTopics({ abi: eventsAbi, eventName })[0]!

const SWAP = topicOf("Swap")
const FLASH = topicOf("Flash")
const INITIALIZE = topicOf("Initialize")

/** Topics of the logs to request. */
export const eventTopics: ReadonlyArray<Hex> = [
  SWAP,
  FLASH,
  INITIALIZE,
  topicOf("Mint"),
  topicOf("Burn"),
  topicOf("Collect")
]

/** A log in a block. Some nodes do not return its block time. */
export interface PoolLog extends Pick<RpcLog, "topics" | "data" | "blockTimestamp"> {
  readonly blockNumber: Hex
  readonly blockHash: Hex
  readonly transactionHash: Hex
}

export const isInBlock = (log: RpcLog): log is RpcLog & PoolLog =>
  log.blockNumber !== null && log.blockHash !== null && log.transactionHash !== null

/**
 * Decodes a word of a log's data as a signed integer. Unsigned values have far fewer bits, so the sign does not matter
 * for them.
 */
const signedWordAt = (data: Hex, index: number): bigint => BigInt.asIntN(256, wordAt(data, index))

const kindOf = (topic: Hex | undefined): PoolEvent["kind"] => {
  switch (topic) {
    case SWAP:
      return "SWAP"
    case FLASH:
      return "FLASH"
    case INITIALIZE:
      return "CREATED"
    default:
      return "OTHER"
  }
}

const NOTHING = { amount0: 0n, amount1: 0n }

/** Decodes a log. The amounts of a flash loan are its paid fees, which are the last two words. */
export const eventFromLog = ({ data, topics, transactionHash }: PoolLog, hour: number): PoolEvent => {
  const kind = kindOf(topics[0])
  const amountIndex = kind === "SWAP" ? 0 : 2
  return {
    kind,
    transactionHash: Hash32.make(transactionHash),
    hour,
    amounts:
      kind === "SWAP" || kind === "FLASH"
        ? { amount0: signedWordAt(data, amountIndex), amount1: signedWordAt(data, amountIndex + 1) }
        : NOTHING
  }
}
