import type { BlockRef } from "@countersign/core/accounting/history"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import {
  type Address,
  Hash32,
  isNativeToken,
  NATIVE_TOKEN,
  type WalletAddress
} from "@countersign/core/foundation/primitives"
import type { IncomingTransfer } from "@countersign/core/operations/executions"
import { Effect } from "effect"
import type { RpcClients } from "../../../chains/evm/index.ts"
import { nativeTransfersTo, transferInLog } from "../../../chains/evm/index.ts"

export interface ReceivedTransfer extends IncomingTransfer {
  readonly token: Address
  /** Hash under which operations claim the transfer. */
  readonly hash: Hash32
  /** Sender of the transfer; null if the chain does not show it. */
  readonly from: WalletAddress | null
}

/** The transfers of a transaction to an account. */
export interface DetectedArrival {
  readonly block: BlockRef
  readonly blockTimestamp: number
  readonly received: ReadonlyArray<ReceivedTransfer>
}

interface ArrivalSearch {
  readonly chainId: EvmChainId
  readonly hash: Hash32
  readonly account: WalletAddress
  /** Tokens to search for. Native transfers are only read if this list contains the native token. */
  readonly tokens: ReadonlyArray<Address>
}

/**
 * Reads the transfers of a transaction to an account. Null if the transaction failed, does not exist, or can't be read.
 */
export const arrivalIn = (rpc: RpcClients["Service"], search: ArrivalSearch): Effect.Effect<DetectedArrival | null> =>
  Effect.tryPromise(async () => {
    const { account, chainId, hash, tokens } = search
    const client = rpc.client(chainId)
    const receipt = await client.getTransactionReceipt({ hash })
    if (receipt.status !== "success") return null
    const { timestamp } = await client.getBlock({ blockHash: receipt.blockHash })
    const block = { number: receipt.blockNumber, hash: Hash32.make(receipt.blockHash.toLowerCase()) }
    const receivedTransfers = receipt.logs.flatMap((log, index): ReadonlyArray<ReceivedTransfer> => {
      const transfer = transferInLog(chainId, log)
      if (transfer === null || transfer.to !== account || transfer.amount === 0n) return []
      return [{ index, hash, token: transfer.token, amount: transfer.amount, from: transfer.from }]
    })
    const native = tokens.some(isNativeToken) ? await nativeTransfersTo(rpc, chainId, { account, hash, block }) : null
    return {
      block,
      blockTimestamp: Number(timestamp),
      received: [
        ...receivedTransfers,
        ...(native?.transfers ?? []).map((each) => ({ ...each, hash: native!.hash, token: NATIVE_TOKEN }))
      ]
    }
  }).pipe(Effect.orElseSucceed(() => null))
