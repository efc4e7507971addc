import { type TokenTransfer, TokenTransfers, type TransferSearch } from "@countersign/core/fiat"
import { Address, Hash32 } from "@countersign/core/primitives"
import { Effect, Layer } from "effect"
import { type LogAnswer, RpcClients, TRANSFER } from "../evm/index.ts"

const addressIn = (topic: string | undefined): string => `0x${(topic ?? "").slice(-40).toLowerCase()}`

/** The token's transfers between the account and others, in the direction that is asked for. */
const transfersIn = (logs: ReadonlyArray<LogAnswer>, { account, direction, token }: TransferSearch) =>
  logs
    .filter(({ address, topics }) => address.toLowerCase() === token && topics.length === 3 && topics[0] === TRANSFER)
    .map(({ data, topics }) => ({ from: addressIn(topics[1]), to: addressIn(topics[2]), amount: BigInt(data) }))
    .filter(({ from, to }) => from !== to && (direction === "IN" ? to : from) === account)

/** By the receipts of the chains' nodes. */
export const layer = Layer.effect(
  TokenTransfers,
  Effect.map(RpcClients, (rpc) =>
    TokenTransfers.of({
      find: Effect.fn("EvmTokenTransfers.find")((search) =>
        rpc.call(search.chainId, async (): Promise<TokenTransfer | null> => {
          const { chainId, direction, hash } = search
          const receipt = await rpc.request(chainId, "eth_getTransactionReceipt", [hash])
          if (receipt === null || receipt.status !== "0x1") return null
          const transfers = transfersIn(receipt.logs, search)
          const [first] = transfers
          const block = await rpc.request(chainId, "eth_getBlockByHash", [receipt.blockHash, false])
          if (first === undefined || block === null) return null
          return {
            chainId,
            hash,
            block: { number: BigInt(receipt.blockNumber), hash: Hash32.make(receipt.blockHash) },
            timestamp: Number(block.timestamp),
            amount: transfers.reduce((sum, { amount }) => sum + amount, 0n),
            counterparty: Address.make(direction === "IN" ? first.from : first.to)
          }
        })
      )
    })
  )
)
