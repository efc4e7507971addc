import type { BlockRef } from "@countersign/core/accounting/history"
import { chainOf } from "@countersign/core/foundation/chains"
import { type Address, Hash32, HexBytes, minBigInt, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import type { IncomingTransfer } from "@countersign/core/operations/executions"
import { decodeEventLog, getAbiItem, type Hex, keccak256, numberToHex, toEventSelector } from "viem"
import { acrossOrNull, deploymentOf } from "../../chains/deployments/index.ts"
import { encoderOf, nativeTransfersTo, type ReceiptResponse, type RpcClients } from "../../chains/evm/index.ts"
import { spokePoolAbi } from "./abi.ts"
import { blockSeconds, isLocatedLog, type LocatedLog, logsBetween } from "./chainLogs.ts"
import { type Deposit, relayHashOf, wordToAddress } from "./deposits.ts"
import { findArrivedToken, type ReceiptLog } from "./handledFill.ts"

/** A token amount that a transaction paid to an account. */
export interface Settlement {
  readonly hash: Hash32
  /** The transfers to the account, and the hash under which operations claim them. */
  readonly arrived: { readonly hash: Hash32; readonly transfers: ReadonlyArray<IncomingTransfer> }
  readonly block: BlockRef
  /** Unix seconds. */
  readonly timestamp: number
  readonly token: Address
  readonly amount: bigint
  readonly counterparty: Address
}

/** A fill, with the logs up to the next fill in its transaction. They include the logs of the fill's message. */
export interface Fill extends Settlement {
  readonly logs: ReadonlyArray<ReceiptLog>
}

const FILLED = 2n
const FILLED_RELAY = toEventSelector(getAbiItem({ abi: spokePoolAbi, name: "FilledRelay" }))
const NO_MESSAGE: Hex = `0x${"00".repeat(32)}`
const poolData = encoderOf(spokePoolAbi)

/** Whether the destination chain's SpokePool reports the deposit as filled. */
export const isFilled = async (rpc: RpcClients["Service"], deposit: Deposit): Promise<boolean> => {
  const { destinationChainId: chainId } = deposit
  const call = { to: acrossOrNull(chainId)!.spokePool, data: poolData("fillStatuses", [relayHashOf(deposit)]) }
  return BigInt(await rpc.request(chainId, "eth_call", [call, "latest"])) === FILLED
}

const argsOf = ({ data, topics }: LocatedLog) =>
  decodeEventLog({ abi: spokePoolAbi, eventName: "FilledRelay", data, topics: topics as [Hex, ...Array<Hex>] }).args

/**
 * Whether a log is a fill of this deposit. Anyone can fill a nonexistent deposit with any id, so a genuine fill must
 * repeat all data of the deposit.
 */
const isFillOf = ({ relay }: Deposit, log: LocatedLog): boolean => {
  const fillArgs = argsOf(log)
  const message = relay.message === "0x" ? NO_MESSAGE : keccak256(relay.message)
  return (
    fillArgs.originChainId === relay.originChainId &&
    fillArgs.depositId === relay.depositId &&
    fillArgs.inputToken === relay.inputToken &&
    fillArgs.outputToken === relay.outputToken &&
    fillArgs.inputAmount === relay.inputAmount &&
    fillArgs.outputAmount === relay.outputAmount &&
    fillArgs.fillDeadline === relay.fillDeadline &&
    fillArgs.exclusivityDeadline === relay.exclusivityDeadline &&
    fillArgs.exclusiveRelayer === relay.exclusiveRelayer &&
    fillArgs.depositor === relay.depositor &&
    fillArgs.recipient === relay.recipient &&
    fillArgs.messageHash === message
  )
}

/**
 * Reads a fill from the receipt of its transaction. Null if the node does not have its block, or if the receipt
 * contains no transfer to the receiver.
 */
const fillInReceipt = async (
  rpc: RpcClients["Service"],
  { destinationChainId: chainId, relay }: Deposit,
  receipt: ReceiptResponse,
  log: LocatedLog
): Promise<Fill | null> => {
  const { spokePool } = acrossOrNull(chainId)!
  const timestamp = await blockSeconds(rpc, chainId, log.blockHash)
  if (timestamp === null) return null
  const { relayer, relayExecutionInfo } = argsOf(log)
  const token = wordToAddress(relay.outputToken)
  // A SpokePool logs a fill before it pays the fill, and relayers fill several deposits in one transaction.
  const logsOfReceipt = receipt.logs.map((each, position): ReceiptLog => ({ ...each, position }))
  const laterLogs = logsOfReceipt.slice(logsOfReceipt.findIndex(({ logIndex }) => logIndex === log.logIndex) + 1)
  const nextFill = laterLogs.findIndex(
    ({ address, topics }) => address.toLowerCase() === spokePool && topics[0] === FILLED_RELAY
  )
  const fillLogs = nextFill < 0 ? laterLogs : laterLogs.slice(0, nextFill)
  const filledAmount = relayExecutionInfo.updatedOutputAmount
  const recipient = wordToAddress(relayExecutionInfo.updatedRecipient)
  const hash = Hash32.make(HexBytes.make(log.transactionHash))
  const block = { number: BigInt(log.blockNumber), hash: Hash32.make(log.blockHash) }
  const loggedTransfer = findArrivedToken(fillLogs, token, recipient)
  const fill = { logs: fillLogs, hash, block, timestamp, counterparty: wordToAddress(relayer) }
  // A fill that unwraps the native token transfers no wrapped tokens to the receiver, but other senders may transfer
  // some in the same transaction.
  if (
    token === deploymentOf(chainId).wrappedNative.address &&
    (loggedTransfer === null || loggedTransfer.amount < filledAmount)
  ) {
    const arrivedTransfers = await nativeTransfersTo(rpc, chainId, { account: recipient, hash, block })
    return { ...fill, arrived: arrivedTransfers, token: NATIVE_TOKEN, amount: filledAmount }
  }
  // If the token charges a transfer fee, the receiver gets less than the amount of the fill.
  return loggedTransfer === null
    ? null
    : {
        ...fill,
        arrived: { hash, transfers: loggedTransfer.transfers },
        token,
        amount: minBigInt(filledAmount, loggedTransfer.amount)
      }
}

/**
 * Finds the fill of a filled deposit on the destination chain, searching from a block. Null if the node does not return
 * it.
 */
export const fillOf = async (
  rpc: RpcClients["Service"],
  deposit: Deposit,
  fromBlock: bigint,
  toBlock: bigint
): Promise<Fill | null> => {
  const { destinationChainId: chainId, relay } = deposit
  const { spokePool } = acrossOrNull(chainId)!
  const logs = await logsBetween(rpc, chainId, {
    address: spokePool,
    topics: [FILLED_RELAY, numberToHex(relay.originChainId, { size: 32 }), numberToHex(relay.depositId, { size: 32 })],
    // After a reorg the fill may be in a block before the one that was the head at the time of the quote.
    fromBlock: fromBlock - BigInt(chainOf(chainId).finalityBlocks),
    toBlock
  })
  const log = logs.find((each) => isFillOf(deposit, each))
  if (log === undefined) return null
  const receipt = await rpc.request(chainId, "eth_getTransactionReceipt", [log.transactionHash])
  return receipt === null ? null : fillInReceipt(rpc, deposit, receipt, log)
}

/**
 * Reads the fill of a deposit from a transaction on the destination chain; null if the transaction does not fill the
 * deposit.
 */
export const fillInTransaction = async (
  rpc: RpcClients["Service"],
  deposit: Deposit,
  hash: Hash32
): Promise<Fill | null> => {
  const { destinationChainId: chainId } = deposit
  const spokePool = acrossOrNull(chainId)?.spokePool
  const receipt = await rpc.request(chainId, "eth_getTransactionReceipt", [hash])
  const log = receipt?.logs
    .filter(isLocatedLog)
    .find(
      (each) => each.address.toLowerCase() === spokePool && each.topics[0] === FILLED_RELAY && isFillOf(deposit, each)
    )
  return receipt == null || log === undefined ? null : fillInReceipt(rpc, deposit, receipt, log)
}
