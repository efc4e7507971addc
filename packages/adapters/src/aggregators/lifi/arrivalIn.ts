import type { EvmChainId } from "@countersign/core/chains"
import type { IncomingTransfer } from "@countersign/core/executions"
import { type BlockRef, NATIVE_TRANSFER } from "@countersign/core/history"
import { type Address, Hash32, isNativeCoin, NATIVE_COIN, type WalletAddress } from "@countersign/core/primitives"
import { Effect } from "effect"
import type { RpcClients } from "../../evm/index.ts"
import { coinGainedIn, transferInLog } from "../../evm/index.ts"

export interface ReceivedTransfer extends IncomingTransfer {
  readonly token: Address
  /** Null where the chain does not name the sender. */
  readonly from: WalletAddress | null
}

/** The transfers of a transaction to an account. */
export interface SeenArrival {
  readonly block: BlockRef
  readonly blockTimestamp: number
  readonly received: ReadonlyArray<ReceivedTransfer>
}

interface Asked {
  readonly chainId: EvmChainId
  readonly hash: Hash32
  readonly account: WalletAddress
  /** What may come. Whether it was coin is asked where that is among it: transfers of coin leave no log. */
  readonly tokens: ReadonlyArray<Address>
}

/** Reads a transaction's transfers to an account. Null where there is no such transaction, or it failed. */
export const arrivalIn = (rpc: RpcClients["Service"], asked: Asked): Effect.Effect<SeenArrival | null> =>
  Effect.tryPromise(async () => {
    const { account, chainId, hash, tokens } = asked
    const client = rpc.client(chainId)
    const receipt = await client.getTransactionReceipt({ hash })
    if (receipt.status !== "success") return null
    const { timestamp } = await client.getBlock({ blockHash: receipt.blockHash })
    const received = receipt.logs.flatMap((log, index): ReadonlyArray<ReceivedTransfer> => {
      const transfer = transferInLog(chainId, log)
      if (transfer === null || transfer.to !== account || transfer.amount === 0n) return []
      return [{ index, token: transfer.token, amount: transfer.amount, from: transfer.from }]
    })
    const amount = tokens.some(isNativeCoin) ? await coinGainedIn(rpc, chainId, account, receipt.blockNumber) : 0n
    const native: ReadonlyArray<ReceivedTransfer> =
      amount === 0n ? [] : [{ index: NATIVE_TRANSFER, token: NATIVE_COIN, amount, from: null }]
    return {
      block: { number: receipt.blockNumber, hash: Hash32.make(receipt.blockHash.toLowerCase()) },
      blockTimestamp: Number(timestamp),
      received: [...received, ...native]
    }
  }).pipe(Effect.orElseSucceed(() => null))
