import type { BlockRef } from "@countersign/core/accounting/history"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import {
  type Address,
  Hash32,
  isNativeToken,
  minBigInt,
  type WalletAddress
} from "@countersign/core/foundation/primitives"
import { amountOf, type IncomingTransfer } from "@countersign/core/operations/executions"
import { Effect } from "effect"
import { type Log, parseAbi, parseEventLogs, type Transaction, zeroAddress } from "viem"
import { addressFromHex, nativeTransfersTo, type RpcClients, transferInLog } from "../../chains/evm/index.ts"
import { hasText } from "./memo.ts"

const isSame = (a: string, b: string | null): boolean => a.toLowerCase() === b?.toLowerCase()

/** What a transaction delivered to an account, as read on-chain. */
export interface Delivery {
  readonly block: BlockRef
  /** Unix seconds. */
  readonly timestamp: number
  readonly transfers: ReadonlyArray<IncomingTransfer>
  /** Hash under which operations claim the transfers. */
  readonly hash: Hash32
  /** Delivered amount. If only the increase of the balance is known, it is at most the value of the transaction. */
  readonly amount: bigint
  readonly payer: Address | null
}

interface DeliverySearch {
  readonly chainId: EvmChainId
  readonly hash: Hash32
  readonly token: Address
  readonly account: WalletAddress
  /** Memo that links the transaction to the deposit. */
  readonly memo: string
}

/** THORChain_Router, which vaults call to send native tokens. */
const routerAbi = parseAbi([
  "event TransferOut(address indexed vault, address indexed to, address asset, uint256 amount, string memo)"
])

/**
 * Returns the native tokens that a router sent to an account according to its event, at most the value of the vault's
 * call. The router also logs the event if the account rejects the tokens. Only an account with code can reject them, so
 * the result is empty for such an account.
 */
const findRouterDelivery = async (
  rpc: RpcClients["Service"],
  { account, chainId, memo }: DeliverySearch,
  { from, to, value }: Transaction,
  logs: ReadonlyArray<Log>
): Promise<ReadonlyArray<IncomingTransfer>> => {
  const transfers = parseEventLogs({ abi: routerAbi, logs: [...logs] }).flatMap((log) => {
    const { amount, asset, memo: text, to: receiver, vault } = log.args
    const isRouter = isSame(log.address, to) && isSame(vault, from)
    const isDelivery = isSame(receiver, account) && asset === zeroAddress && text === memo
    const index = logs.findIndex(({ logIndex }) => logIndex === log.logIndex)
    return isRouter && isDelivery && amount > 0n && amount <= value ? [{ index, amount }] : []
  })
  if (transfers.length === 0) return []
  const code = await rpc.request(chainId, "eth_getCode", [account as Address, "latest"])
  return code === "0x" ? transfers.slice(0, 1) : []
}

/**
 * Reads the delivery of a swap from a transaction. Null if the transaction is not a delivery, or if it can't be read.
 */
export const deliveryIn = (rpc: RpcClients["Service"], search: DeliverySearch): Effect.Effect<Delivery | null> =>
  Effect.tryPromise(async (): Promise<Delivery | null> => {
    const { account, chainId, hash, memo, token } = search
    const client = rpc.client(chainId)
    const [receipt, transaction] = await Promise.all([
      client.getTransactionReceipt({ hash }),
      client.getTransaction({ hash })
    ])
    if (receipt.status !== "success") return null
    const hasMemo = hasText(transaction.input, memo) || receipt.logs.some(({ data }) => hasText(data, memo))
    if (!hasMemo) return null
    const { timestamp } = await client.getBlock({ blockHash: receipt.blockHash })
    const block = { number: receipt.blockNumber, hash: Hash32.make(receipt.blockHash.toLowerCase()) }
    const loggedTransfers = receipt.logs.flatMap((log, index) => {
      const transfer = transferInLog(chainId, log)
      return transfer?.to === account && transfer.token === token && transfer.amount > 0n
        ? [{ ...transfer, index }]
        : []
    })
    const arrivedTransfers = isNativeToken(token)
      ? await nativeTransfersTo(rpc, chainId, { account, hash, block })
      : { hash, transfers: loggedTransfers }
    const routerTransfers =
      arrivedTransfers.hash === block.hash ? await findRouterDelivery(rpc, search, transaction, receipt.logs) : []
    const { hash: claimHash, transfers } =
      routerTransfers.length === 0 ? arrivedTransfers : { hash, transfers: routerTransfers }
    // The increase of the balance may include transfers by other senders in the same block.
    const maxAmount = claimHash === block.hash ? transaction.value : amountOf(transfers)
    const amount = minBigInt(maxAmount, amountOf(transfers))
    if (amount === 0n) return null
    return {
      block,
      timestamp: Number(timestamp),
      transfers,
      hash: claimHash,
      amount,
      payer: addressFromHex(loggedTransfers[0]?.from ?? transaction.from)
    }
  }).pipe(Effect.orElseSucceed(() => null))
