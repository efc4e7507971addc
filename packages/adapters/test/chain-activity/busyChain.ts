import { Address } from "@countersign/core/foundation/primitives"
import { type Hex, numberToHex } from "viem"
import type { Method } from "../evm/emulators/JsonRpcServer.ts"

/** JSON-RPC methods of the node of a chain with full blocks. Each block is computed from its number. */

export const TRANSACTION_COUNT = 200
export const LOG_COUNT = 400
export const TOKEN = Address.make(`0x${"70".repeat(20)}`)
const OTHER_TOKEN: Hex = `0x${"71".repeat(20)}`
const TRANSFER_TOPIC = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

const toWord = (value: number | bigint): string => value.toString(16).padStart(64, "0")
const blockHash = (block: number): Hex => `0x${toWord(block + 1_000_000)}`
const transactionHash = (block: number, index: number): Hex => `0x${toWord(2n ** 200n + BigInt(block * 1_000 + index))}`
/** Returns an address that is not registered. */
const unregisteredAddress = (block: number, index: number): Hex =>
  `0x${(2n ** 150n + BigInt(block * 10_000 + index)).toString(16).padStart(40, "0")}`
const walletOf = (index: number): Hex => `0x${(index + 1).toString(16).padStart(40, "0")}`
const padAddress = (address: string): Hex => `0x${address.slice(2).padStart(64, "0")}`

export const busyChainMethods = (): Readonly<Record<string, Method>> => {
  const state = { head: 0, wallets: 1 }

  /** The first two logs of each block pay registered wallets. */
  const logOf = (block: number, index: number) => {
    const to = index < 2 ? walletOf((block * 2 + index) % state.wallets) : unregisteredAddress(block, index + 5_000)
    return {
      address: index < 2 ? TOKEN : OTHER_TOKEN,
      topics: [TRANSFER_TOPIC, padAddress(unregisteredAddress(block, index)), padAddress(to)],
      data: `0x${toWord(1_000_000 + index)}`,
      blockNumber: numberToHex(block),
      blockHash: blockHash(block),
      transactionHash: transactionHash(block, index >> 1),
      transactionIndex: numberToHex(index >> 1),
      logIndex: numberToHex(index),
      removed: false
    }
  }

  const blockOf = (block: number) =>
    block > state.head
      ? null
      : {
          number: numberToHex(block),
          hash: blockHash(block),
          parentHash: blockHash(block - 1),
          timestamp: numberToHex(Math.floor(Date.now() / 1_000)),
          baseFeePerGas: "0x1",
          transactions: Array.from({ length: TRANSACTION_COUNT }, (_, index) => transactionHash(block, index))
        }

  const callFrame = (block: number, index: number, calls: ReadonlyArray<unknown>) => ({
    type: "CALL",
    from: unregisteredAddress(block, index),
    to: unregisteredAddress(block, index + 1),
    value: index % 7 === 0 ? "0x5af3107a4000" : "0x0",
    gas: "0x30d40",
    gasUsed: "0x5208",
    input: `0x${"ab".repeat(164)}`,
    output: `0x${toWord(1)}`,
    calls
  })

  return {
    bench_setHead: async ([head, wallets]) => {
      Object.assign(state, { head: Number(head), wallets: Number(wallets) })
      return true
    },
    eth_chainId: async () => "0x1",
    eth_blockNumber: async () => numberToHex(state.head),
    eth_getBlockByNumber: async ([tag]) => blockOf(tag === "latest" ? state.head : Number(tag)),
    eth_getBlockByHash: async ([hash]) => blockOf(Number(BigInt(String(hash))) - 1_000_000),
    eth_getLogs: async ([filter]) => {
      const { fromBlock, toBlock, topics } = filter as {
        readonly fromBlock: Hex
        readonly toBlock: Hex
        readonly topics: ReadonlyArray<ReadonlyArray<string> | null>
      }
      const blocks = Array.from({ length: Number(toBlock) - Number(fromBlock) + 1 }, (_, i) => Number(fromBlock) + i)
      const logs = blocks.flatMap((block) => Array.from({ length: LOG_COUNT }, (_, index) => logOf(block, index)))
      return logs.filter((log) =>
        [1, 2].every((position) => topics[position] == null || topics[position].includes(log.topics[position]!))
      )
    },
    eth_getTransactionReceipt: async ([hash]) => {
      const number = Number(BigInt(String(hash)) - 2n ** 200n)
      const [block, index] = [Math.floor(number / 1_000), number % 1_000]
      return {
        transactionHash: hash,
        blockNumber: numberToHex(block),
        blockHash: blockHash(block),
        status: "0x1",
        from: unregisteredAddress(block, index),
        gasUsed: "0x5208",
        effectiveGasPrice: "0x1",
        logs: [logOf(block, index * 2), logOf(block, index * 2 + 1)]
      }
    },
    debug_traceBlockByNumber: async ([tag]) => {
      const block = Number(tag)
      return Array.from({ length: TRANSACTION_COUNT }, (_, index) => ({
        txHash: transactionHash(block, index),
        result: callFrame(block, index * 10, [
          callFrame(block, index * 10 + 1, [callFrame(block, index * 10 + 2, [])]),
          callFrame(block, index * 10 + 3, [])
        ])
      }))
    }
  }
}
