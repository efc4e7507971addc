import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address, Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import type { IncomingTransfer } from "@countersign/core/operations/executions"
import type { LimitOrderIntent } from "@countersign/core/operations/intents"
import { type OrderFill, orderAmounts } from "@countersign/core/trading/limit-orders"
import { decodeAbiParameters, getAbiItem, type Hex, numberToHex, parseAbiParameters, toEventSelector } from "viem"
import { cowContracts } from "../../chains/deployments/index.ts"
import { hash32FromHex, type ReceiptResponse, type RpcClients, transferInLog } from "../../chains/evm/index.ts"
import { settlementAbi } from "./settlementAbi.ts"

const tradeEvent = getAbiItem({ abi: settlementAbi, name: "Trade" })
const TRADE = toEventSelector(tradeEvent)
/** Data of the `Trade` event without the owner, which is a topic. */
const tradeData = parseAbiParameters("address, address, uint256 sellAmount, uint256 buyAmount, uint256, bytes orderUid")

/** Sums the trades of the order in a transaction, which may also contain `Trade` events of other orders. */
const tradedAmountsIn = ({ logs }: Pick<ReceiptResponse, "logs">, uid: HexBytes) => {
  const trades = logs
    .filter(({ address, topics }) => address.toLowerCase() === cowContracts.settlement && topics[0] === TRADE)
    .map(({ data }) => {
      const [, , sellAmount, buyAmount, , orderUid] = decodeAbiParameters(tradeData, data as Hex)
      return { sellAmount, buyAmount, orderUid }
    })
    .filter(({ orderUid }) => orderUid.toLowerCase() === uid)
  const sum = (field: "sellAmount" | "buyAmount") => trades.reduce((total, args) => total + args[field], 0n)
  return { sold: sum("sellAmount"), bought: sum("buyAmount") }
}

/** Returns the transfers of a token, optionally from one party or to one party. */
const transfersIn = (
  { logs }: Pick<ReceiptResponse, "logs">,
  chainId: EvmChainId,
  { from, to, token }: { readonly from?: Address; readonly to?: Address; readonly token: Address }
): ReadonlyArray<IncomingTransfer> =>
  logs.flatMap((log, index) => {
    const transfer = transferInLog(chainId, log)
    const isMatching =
      transfer?.token === token && (from ?? transfer.from) === transfer.from && (to ?? transfer.to) === transfer.to
    return isMatching && transfer.amount > 0n ? [{ index, amount: transfer.amount }] : []
  })

/**
 * Reads the fill of an order from a transaction's receipt. Null if the chain does not have the transaction, or if the
 * transaction does not fill the order.
 */
export const fillOf = async (
  rpc: RpcClients["Service"],
  intent: LimitOrderIntent,
  hash: Hash32
): Promise<OrderFill | null> => {
  const { chainId, uid } = intent
  const receipt = await rpc.request(chainId, "eth_getTransactionReceipt", [hash])
  if (receipt === null) return null
  const { bought, sold } = tradedAmountsIn(receipt, uid)
  if (sold === 0n) return null
  const number = BigInt(receipt.blockNumber)
  const response = await rpc.request(chainId, "eth_getBlockByNumber", [numberToHex(number), false])
  if (response === null) return null
  const { buyToken, owner, receiver, sellToken } = orderAmounts(intent)
  const ownerTransfers = transfersIn(receipt, chainId, { from: owner, token: sellToken })
  const receivedTransfers = transfersIn(receipt, chainId, { to: receiver, token: buyToken })
  return {
    hash,
    block: { number, hash: hash32FromHex(receipt.blockHash) },
    timestamp: Number(response.timestamp),
    sold,
    bought,
    transfers: {
      sold: { account: owner, transfers: ownerTransfers, amount: sold },
      bought: { account: receiver, transfers: receivedTransfers, amount: bought }
    }
  }
}
