import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import type { MintedNft, TokenTransfer } from "@countersign/core/operations/user-operations"
import { type Hex, hexToBigInt, size, slice, zeroAddress } from "viem"
import { deploymentOf } from "../../../deployments/index.ts"
import { addressFromHex } from "../../hex.ts"
import { type CallFrame, eventsOf } from "./CallFrame.ts"

/** keccak256 of `Transfer(address,address,uint256)`. ERC-20's event has two indexed arguments, ERC-721's has three. */
export const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
/**
 * Topic of WETH9's `Deposit(address,uint256)`. WETH9 mints with `Deposit` and burns with `Withdrawal(address,uint256)`,
 * without a `Transfer` event.
 */
export const DEPOSIT = "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c"
export const WITHDRAWAL = "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65"

interface Log {
  readonly address: Hex
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
}

const addressInTopic = (topic: Hex): Address => addressFromHex(slice(topic, 12))

/** Decodes the token transfer in a log; null if the log contains none. */
export const transferInLog = (chainId: EvmChainId, { address, topics, data }: Log): TokenTransfer | null => {
  const [event, first, second] = topics
  if (first === undefined || size(data) !== 32) return null
  const token = addressFromHex(address)
  const amount = hexToBigInt(data)
  if (event === TRANSFER && second !== undefined && topics.length === 3) {
    return { token, from: addressInTopic(first), to: addressInTopic(second), amount }
  }
  if (topics.length !== 2 || token !== deploymentOf(chainId).wrappedNative.address) return null
  const zero = addressFromHex(zeroAddress)
  if (event === DEPOSIT) return { token, from: zero, to: addressInTopic(first), amount }
  if (event === WITHDRAWAL) return { token, from: addressInTopic(first), to: zero, amount }
  return null
}

/**
 * Returns the native token flow that a log of the wrapped native token implies; null for other logs. WETH9 receives
 * native tokens from the account that it credits, and pays them to the account that it debits.
 */
export const wrappingInLog = (chainId: EvmChainId, log: Log): TokenTransfer | null => {
  const wrappingTransfer = log.topics[0] === TRANSFER ? null : transferInLog(chainId, log)
  if (wrappingTransfer === null) return null
  const { amount, from, to, token } = wrappingTransfer
  return log.topics[0] === DEPOSIT
    ? { token: NATIVE_TOKEN, from: to, to: token, amount }
    : { token: NATIVE_TOKEN, from: token, to: from, amount }
}

/** Decodes the minted NFT (ERC-721) in a log; null if the log mints none. */
const mintInLog = ({ address, topics }: Log): MintedNft | null => {
  const [event, from, , tokenId] = topics
  if (event !== TRANSFER || from === undefined || tokenId === undefined || hexToBigInt(from) !== 0n) return null
  return { contract: addressFromHex(address), tokenId: hexToBigInt(tokenId) }
}

export const mintsInLogs = (logs: ReadonlyArray<Log>): ReadonlyArray<MintedNft> =>
  logs.map(mintInLog).filter((minted) => minted !== null)

export const mintsInTrace = (frame: CallFrame): ReadonlyArray<MintedNft> =>
  mintsInLogs([...eventsOf(frame)].flatMap((event) => ("topics" in event ? [event] : [])))

/** Returns the native token transfer of a call; null if it sends none. */
export const nativeTransferInCall = (frame: CallFrame): TokenTransfer | null => {
  const amount = hexToBigInt(frame.value ?? "0x0")
  if (amount === 0n || frame.to === undefined || frame.type === "DELEGATECALL" || frame.type === "CALLCODE") return null
  const from = addressFromHex(frame.from)
  const to = addressFromHex(frame.to)
  return { token: NATIVE_TOKEN, from, to, amount }
}

/** Whether a transfer is a payment to or from the EntryPoint, which is a gas fee. */
const isGas = ({ from, to, token }: TokenTransfer, entryPoint: Address): boolean =>
  token === NATIVE_TOKEN && (from === entryPoint || to === entryPoint)

/**
 * Returns the transfers of tokens and native tokens in a trace, in order. Omits native token payments to and from the
 * EntryPoint.
 */
export const transfersInTrace = (
  chainId: EvmChainId,
  frame: CallFrame,
  entryPoint: Address
): ReadonlyArray<TokenTransfer> => {
  const transfers: Array<TokenTransfer> = []
  for (const event of eventsOf(frame)) {
    const transfer = "topics" in event ? transferInLog(chainId, event) : nativeTransferInCall(event)
    if (transfer !== null && !isGas(transfer, entryPoint)) transfers.push(transfer)
  }
  return transfers
}

/**
 * Returns the account's payments minus its receipts in the token of the first payment, with that payment's receiver.
 * Null if the difference is not positive.
 */
export const netPayment = (sender: Address, transfers: ReadonlyArray<TokenTransfer>): TokenTransfer | null => {
  const firstPayment = transfers.find(({ from }) => from === sender)
  if (firstPayment === undefined) return null
  const amount = transfers.reduce((sum, transfer) => {
    if (transfer.token !== firstPayment.token) return sum
    return sum + (transfer.from === sender ? transfer.amount : 0n) - (transfer.to === sender ? transfer.amount : 0n)
  }, 0n)
  return amount > 0n ? { ...firstPayment, amount } : null
}
