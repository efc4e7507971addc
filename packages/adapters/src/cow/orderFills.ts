import type { EvmChainId } from "@countersign/core/chains"
import type { OrderFill } from "@countersign/core/limit-orders"
import type { Hash32, HexBytes } from "@countersign/core/primitives"
import { decodeAbiParameters, getAbiItem, type Hex, numberToHex, parseAbiParameters, toEventSelector } from "viem"
import { cowContracts } from "../deployments/index.ts"
import { hash32FromHex, type ReceiptAnswer, type RpcClients } from "../evm/index.ts"
import { settlementAbi } from "./settlementAbi.ts"

const tradeEvent = getAbiItem({ abi: settlementAbi, name: "Trade" })
const TRADE = toEventSelector(tradeEvent)
/** The fields of the event beside its owner, which is a topic. */
const tradeData = parseAbiParameters("address, address, uint256 sellAmount, uint256 buyAmount, uint256, bytes orderUid")

/** What a settlement traded of the order, in all of its `Trade` events. */
const tradedIn = ({ logs }: Pick<ReceiptAnswer, "logs">, uid: HexBytes) => {
  const trades = logs
    .filter(({ address, topics }) => address.toLowerCase() === cowContracts.settlement && topics[0] === TRADE)
    .map(({ data }) => {
      const [, , sellAmount, buyAmount, , orderUid] = decodeAbiParameters(tradeData, data as Hex)
      return { sellAmount, buyAmount, orderUid }
    })
    .filter(({ orderUid }) => orderUid.toLowerCase() === uid)
  const sum = (of: "sellAmount" | "buyAmount") => trades.reduce((total, args) => total + args[of], 0n)
  return { sold: sum("sellAmount"), bought: sum("buyAmount") }
}

/** The fill of an order by a transaction, as its receipt has it; null where the chain has no such transaction. */
export const fillOf = async (
  rpc: RpcClients["Service"],
  chainId: EvmChainId,
  uid: HexBytes,
  hash: Hash32
): Promise<OrderFill | null> => {
  const receipt = await rpc.request(chainId, "eth_getTransactionReceipt", [hash])
  if (receipt === null) return null
  const { bought, sold } = tradedIn(receipt, uid)
  if (sold === 0n) return null
  const number = BigInt(receipt.blockNumber)
  const block = await rpc.request(chainId, "eth_getBlockByNumber", [numberToHex(number), false])
  return block === null
    ? null
    : {
        hash,
        block: { number, hash: hash32FromHex(receipt.blockHash) },
        timestamp: Number(block.timestamp),
        sold,
        bought
      }
}
