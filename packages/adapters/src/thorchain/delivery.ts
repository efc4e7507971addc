import type { EvmChainId } from "@countersign/core/chains"
import type { BlockRef } from "@countersign/core/history"
import { type Address, Hash32, isNativeCoin, type WalletAddress } from "@countersign/core/primitives"
import { Effect } from "effect"
import { addressFromHex, coinGainedIn, type RpcClients, transferInLog } from "../evm/index.ts"
import { hasText } from "./memo.ts"

/** What a transaction brought to an account, by what its chain says. */
export interface Delivery {
  readonly block: BlockRef
  /** Unix seconds. */
  readonly timestamp: number
  readonly amount: bigint
  readonly payer: Address | null
}

interface Asked {
  readonly chainId: EvmChainId
  readonly hash: Hash32
  readonly token: Address
  readonly account: WalletAddress
  /** The text by which the sender ties the transaction to the deposit that it is for. */
  readonly memo: string
}

/** The delivery of a swap by a transaction; null where it is none, or the chain does not have it. */
export const deliveryIn = (rpc: RpcClients["Service"], asked: Asked): Effect.Effect<Delivery | null> =>
  Effect.tryPromise(async (): Promise<Delivery | null> => {
    const { account, chainId, hash, memo, token } = asked
    const client = rpc.client(chainId)
    const [receipt, transaction] = await Promise.all([
      client.getTransactionReceipt({ hash }),
      client.getTransaction({ hash })
    ])
    if (receipt.status !== "success") return null
    const isForIt = hasText(transaction.input, memo) || receipt.logs.some(({ data }) => hasText(data, memo))
    if (!isForIt) return null
    const { timestamp } = await client.getBlock({ blockHash: receipt.blockHash })
    const transfers = receipt.logs
      .flatMap((log) => transferInLog(chainId, log) ?? [])
      .filter((moved) => moved.to === account && moved.token === token && moved.amount > 0n)
    const gained = isNativeCoin(token)
      ? await coinGainedIn(rpc, chainId, account, receipt.blockNumber)
      : transfers.reduce((sum, { amount }) => sum + amount, 0n)
    // Somebody else may have sent coin in the same block.
    const amount = isNativeCoin(token) && transaction.value < gained ? transaction.value : gained
    if (amount === 0n) return null
    return {
      block: { number: receipt.blockNumber, hash: Hash32.make(receipt.blockHash.toLowerCase()) },
      timestamp: Number(timestamp),
      amount,
      payer: addressFromHex(transfers[0]?.from ?? transaction.from)
    }
  }).pipe(Effect.orElseSucceed(() => null))
