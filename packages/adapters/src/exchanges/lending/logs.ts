import type { Hash32 } from "@countersign/core/foundation/primitives"
import type { LiquidationSearch } from "@countersign/core/trading/lending"
import { type Hex, type Address as HexAddress, numberToHex, pad, type RpcLog } from "viem"
import { hash32FromHex, type RpcClients } from "../../chains/evm/index.ts"

/** A log and its position on the chain. */
export interface LocatedLog {
  readonly address: HexAddress
  readonly topics: [Hex, ...Array<Hex>]
  readonly data: Hex
  readonly location: {
    readonly transactionHash: Hash32
    readonly logIndex: number
    readonly blockNumber: bigint
    readonly blockHash: Hash32
    /** Unix seconds. */
    readonly blockTimestamp: number
  }
}

/**
 * Reads the logs of an event whose third indexed argument is one of the accounts. There are few such logs, so the block
 * time is requested for each one.
 */
export const logsOfAccounts = (
  rpc: RpcClients["Service"],
  { accounts, chainId, fromBlock, toBlock }: LiquidationSearch,
  address: Hex,
  topic: Hex
) =>
  rpc.call(chainId, async (client): Promise<ReadonlyArray<LocatedLog>> => {
    const logs = await client.request({
      method: "eth_getLogs",
      params: [
        {
          address,
          fromBlock: numberToHex(fromBlock),
          toBlock: numberToHex(toBlock),
          topics: [topic, null, null, accounts.map((account) => pad(account))]
        }
      ]
    })
    const locatedLogs = await Promise.all(
      logs.map(async (log: RpcLog): Promise<ReadonlyArray<LocatedLog>> => {
        const { blockHash, blockNumber, logIndex, transactionHash } = log
        // A log without a block belongs to a pending transaction.
        if (blockHash === null || blockNumber === null || logIndex === null || transactionHash === null) return []
        const block = await client.request({ method: "eth_getBlockByHash", params: [blockHash, false] })
        // The block was orphaned in the meantime. The next search finds the log in its new block.
        if (block === null) return []
        const [signature = "0x", ...indexed] = log.topics
        return [
          {
            address: log.address,
            topics: [signature, ...indexed],
            data: log.data,
            location: {
              transactionHash: hash32FromHex(transactionHash),
              logIndex: Number(logIndex),
              blockNumber: BigInt(blockNumber),
              blockHash: hash32FromHex(blockHash),
              blockTimestamp: Number(block.timestamp)
            }
          }
        ]
      })
    )
    return locatedLogs.flat()
  })
