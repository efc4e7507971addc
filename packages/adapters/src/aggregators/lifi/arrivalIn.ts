import type { EvmChainId } from "@countersign/core/chains"
import type { BlockRef } from "@countersign/core/history"
import { type Address, Hash32, isNativeCoin, NATIVE_COIN, type WalletAddress } from "@countersign/core/primitives"
import { Effect } from "effect"
import type { RpcClients } from "../../evm/index.ts"
import { addressFromHex, coinGainedIn, transferInLog } from "../../evm/index.ts"

/** What a transaction brought to an account, by its receipt. */
export interface SeenArrival {
  readonly block: BlockRef
  readonly blockTimestamp: number
  /** In the order in which they first came. */
  readonly received: ReadonlyMap<Address, bigint>
  /** Who paid first. */
  readonly payer: WalletAddress | null
}

interface Asked {
  readonly chainId: EvmChainId
  readonly hash: Hash32
  readonly account: WalletAddress
  /** What may come. Whether it was coin is asked where that is among it: transfers of coin leave no log. */
  readonly tokens: ReadonlyArray<Address>
}

/** What a transaction brought to an account; null where there is no such transaction, or it failed. */
export const arrivalIn = (rpc: RpcClients["Service"], asked: Asked): Effect.Effect<SeenArrival | null> =>
  Effect.tryPromise(async () => {
    const { account, chainId, hash, tokens } = asked
    const client = rpc.client(chainId)
    const receipt = await client.getTransactionReceipt({ hash })
    if (receipt.status !== "success") return null
    const { timestamp } = await client.getBlock({ blockHash: receipt.blockHash })
    const transfers = receipt.logs.flatMap((log) => transferInLog(chainId, log) ?? [])
    const received = new Map<Address, bigint>()
    let payer: Address | null = null
    for (const { amount, from, to, token } of transfers) {
      if (to !== account || amount === 0n) continue
      received.set(token, (received.get(token) ?? 0n) + amount)
      payer ??= addressFromHex(from)
    }
    const coin = tokens.some(isNativeCoin) ? await coinGainedIn(rpc, chainId, account, receipt.blockNumber) : 0n
    if (coin > 0n) received.set(NATIVE_COIN, coin)
    return {
      block: { number: receipt.blockNumber, hash: Hash32.make(receipt.blockHash.toLowerCase()) },
      blockTimestamp: Number(timestamp),
      received,
      payer
    }
  }).pipe(Effect.orElseSucceed(() => null))
