import { type BlockRef, NATIVE_TRANSFER } from "@countersign/core/accounting/history"
import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import type { Address, Hash32, WalletAddress } from "@countersign/core/foundation/primitives"
import type { IncomingTransfer } from "@countersign/core/operations/executions"
import { numberToHex } from "viem"
import { eventsOf } from "./bundler/simulation/CallFrame.ts"
import { nativeTransferInCall } from "./bundler/simulation/transfers.ts"
import type { RpcClients } from "./RpcClients.ts"
import { isMethodNotServed, jsonRpcErrorIn } from "./rpc/JsonRpcError.ts"

export interface NativeTransfer extends IncomingTransfer {
  /** Sender; null if no node traces the transaction. */
  readonly from: Address | null
}

/**
 * Transfers of native tokens to an account, with the hash and the indexes under which `TransferClaims` records them.
 */
export interface NativeTransfers {
  /**
   * Hash under which operations claim the transfers: of the transaction, or of its block if no node traces the
   * transaction.
   */
  readonly hash: Hash32
  readonly transfers: ReadonlyArray<NativeTransfer>
}

interface TransferLocation {
  readonly account: WalletAddress
  readonly hash: Hash32
  readonly block: BlockRef
}

type Rpc = RpcClients["Service"]

/**
 * Returns the increase of the account's balance in a block. Each operation that ended in the block claims its share of
 * it. Empty if the balance did not increase, or if the node returns an error, for example because it has pruned the
 * state.
 */
const gainInBlock = async (
  rpc: Rpc,
  chainId: EvmChainId,
  { account, block }: TransferLocation
): Promise<NativeTransfers> => {
  const balanceAt = async (number: bigint) =>
    BigInt(await rpc.request(chainId, "eth_getBalance", [account as Address, numberToHex(number)]))
  const balances = await Promise.all([balanceAt(block.number - 1n), balanceAt(block.number)]).catch((thrown) => {
    if (jsonRpcErrorIn(thrown) === null) throw thrown
    return [0n, 0n] as const
  })
  const amount = balances[1] - balances[0]
  const transfers = amount > 0n ? [{ index: NATIVE_TRANSFER, amount, from: null, isShared: true }] : []
  return { hash: block.hash, transfers }
}

/** Maximum age, in milliseconds, of the chain's head. */
const HEAD_AGE_MS = 5_000

/**
 * Returns the calls of a transaction. Null if at least `required` nodes are usable and they do not support the method.
 * Before the block is final, any other failure is thrown, because the hash under which operations claim transfers
 * depends on this result. Afterwards any failure counts as unsupported.
 */
const traceOrNull = async (rpc: Rpc, chainId: EvmChainId, { block, hash }: TransferLocation) => {
  try {
    return await rpc.request(chainId, "debug_traceTransaction", [hash, { tracer: "callTracer" }])
  } catch (thrown) {
    const { nodes, required } = rpc.witnesses(chainId)
    if (isMethodNotServed(thrown) && nodes.length >= required) return null
    const head = await rpc.latestBlock(chainId, HEAD_AGE_MS)
    if (head.number - block.number < chainOf(chainId).finalityBlocks) throw thrown
    return null
  }
}

/**
 * Returns the native tokens that a transaction sent to an account. Transfers by contracts emit no log, so a trace is
 * needed. If there is none, the increase of the account's balance in the block is used. It is lower than the received
 * amount if the account has spent native tokens in the same block.
 */
export const nativeTransfersTo = async (
  rpc: Rpc,
  chainId: EvmChainId,
  location: TransferLocation
): Promise<NativeTransfers> => {
  const { account, hash } = location
  const trace = await traceOrNull(rpc, chainId, location)
  if (trace === null) return gainInBlock(rpc, chainId, location)
  const nativeTransfers = [...eventsOf(trace)].map((event) => ("topics" in event ? null : nativeTransferInCall(event)))
  const receivedTransfers = nativeTransfers
    .filter((transfer) => transfer !== null)
    .filter(({ from, to }) => to === account && from !== account)
  const transfers = receivedTransfers.map(
    ({ amount, from }, i): NativeTransfer => ({ index: NATIVE_TRANSFER - i, amount, from })
  )
  return { hash, transfers }
}
