import {
  type TokenTransfer,
  TokenTransfers,
  type TransferSearch,
  type TransfersInTransaction
} from "@countersign/core/fiat"
import { Address, Hash32 } from "@countersign/core/foundation/primitives"
import { Effect, Layer } from "effect"
import { type LogResponse, RpcClients, TRANSFER } from "../chains/evm/index.ts"

const addressIn = (topic: string | undefined): string => `0x${(topic ?? "").slice(-40).toLowerCase()}`

/** Returns the token's transfers from or to the account. */
const transfersIn = (
  logs: ReadonlyArray<LogResponse>,
  { account, direction, token }: TransferSearch
): ReadonlyArray<TokenTransfer> =>
  logs.flatMap(({ address, data, topics }, index) => {
    if (address.toLowerCase() !== token || topics.length !== 3 || topics[0] !== TRANSFER) return []
    const [from, to] = [addressIn(topics[1]), addressIn(topics[2])]
    if (from === to || (direction === "IN" ? to : from) !== account) return []
    return [{ index, amount: BigInt(data), counterparty: Address.make(direction === "IN" ? from : to) }]
  })

/** Reads token transfers from receipts of the chains' nodes. */
export const layer = Layer.effect(
  TokenTransfers,
  Effect.map(RpcClients, (rpc) =>
    TokenTransfers.of({
      find: Effect.fn("EvmTokenTransfers.find")((search) =>
        rpc.call(search.chainId, async (): Promise<TransfersInTransaction | null> => {
          const { chainId, hash } = search
          const receipt = await rpc.request(chainId, "eth_getTransactionReceipt", [hash])
          if (receipt === null || receipt.status !== "0x1") return null
          const transfers = transfersIn(receipt.logs, search)
          const block = await rpc.request(chainId, "eth_getBlockByHash", [receipt.blockHash, false])
          if (transfers.length === 0 || block === null) return null
          return {
            chainId,
            hash,
            block: { number: BigInt(receipt.blockNumber), hash: Hash32.make(receipt.blockHash) },
            timestamp: Number(block.timestamp),
            transfers
          }
        })
      )
    })
  )
)
