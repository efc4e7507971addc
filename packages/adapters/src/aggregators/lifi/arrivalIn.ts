import type { EvmChainId } from "@countersign/core/chains"
import type { BlockRef } from "@countersign/core/history"
import { type Address, Hash32, type WalletAddress } from "@countersign/core/primitives"
import { Effect } from "effect"
import type { RpcClients } from "../../evm/index.ts"
import { addressFromHex, transferInLog } from "../../evm/index.ts"

/** What a transaction brought to an account, by its receipt. */
export interface SeenArrival {
  readonly block: BlockRef
  readonly blockTimestamp: number
  /** In the order in which they first came. */
  readonly received: ReadonlyMap<Address, bigint>
  /** Who paid first. */
  readonly payer: Address | null
}

/** The tokens that a transaction brought to an account; null where there is no such transaction, or it failed. */
export const arrivalIn = (
  rpc: RpcClients["Service"],
  chainId: EvmChainId,
  hash: Hash32,
  account: WalletAddress
): Effect.Effect<SeenArrival | null> =>
  Effect.tryPromise(async () => {
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
    return {
      block: { number: receipt.blockNumber, hash: Hash32.make(receipt.blockHash.toLowerCase()) },
      blockTimestamp: Number(timestamp),
      received,
      payer
    }
  }).pipe(Effect.orElseSucceed(() => null))
