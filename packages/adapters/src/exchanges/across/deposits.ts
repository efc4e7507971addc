import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { decodeEventLog, encodeAbiParameters, getAbiItem, type Hex, keccak256, pad, slice, toEventSelector } from "viem"
import type { LogResponse } from "../../chains/evm/index.ts"
import { spokePoolAbi } from "./abi.ts"

/**
 * The data of a deposit that a fill must repeat exactly, and whose hash identifies the fill. Addresses have 32 bytes,
 * because some chains are not EVM chains.
 */
export interface RelayData {
  readonly depositor: Hex
  readonly recipient: Hex
  readonly exclusiveRelayer: Hex
  readonly inputToken: Hex
  readonly outputToken: Hex
  readonly inputAmount: bigint
  readonly outputAmount: bigint
  readonly originChainId: bigint
  readonly depositId: bigint
  /** Time on the destination chain, in Unix seconds, until which the deposit can be filled. */
  readonly fillDeadline: number
  readonly exclusivityDeadline: number
  readonly message: Hex
}

/** A deposit, decoded from an event of a SpokePool. */
export interface Deposit {
  readonly relay: RelayData
  readonly originChainId: EvmChainId
  readonly destinationChainId: EvmChainId
  /** Unix seconds. */
  readonly quoteTimestamp: number
}

export const FUNDS_DEPOSITED = toEventSelector(getAbiItem({ abi: spokePoolAbi, name: "FundsDeposited" }))
export const V3_FUNDS_DEPOSITED = toEventSelector(getAbiItem({ abi: spokePoolAbi, name: "V3FundsDeposited" }))

export const addressToWord = (address: Hex): Hex => pad(Address.make(address.toLowerCase()))
export const wordToAddress = (word: Hex): Address => Address.make(slice(word, 12).toLowerCase())

const argsOf = ({ data, topics }: Pick<LogResponse, "topics" | "data">) => {
  if (topics[0] === FUNDS_DEPOSITED) {
    return decodeEventLog({ abi: spokePoolAbi, eventName: "FundsDeposited", data, topics }).args
  }
  if (topics[0] !== V3_FUNDS_DEPOSITED) return null
  const { args } = decodeEventLog({ abi: spokePoolAbi, eventName: "V3FundsDeposited", data, topics })
  return {
    ...args,
    depositId: BigInt(args.depositId),
    depositor: addressToWord(args.depositor),
    recipient: addressToWord(args.recipient),
    exclusiveRelayer: addressToWord(args.exclusiveRelayer),
    inputToken: addressToWord(args.inputToken),
    outputToken: addressToWord(args.outputToken)
  }
}

/** Decodes the deposit in a log. Null for other logs, and if the service does not support the destination chain. */
export const depositInLog = (
  originChainId: EvmChainId,
  spokePool: Address,
  log: Pick<LogResponse, "address" | "topics" | "data">
): Deposit | null => {
  if (log.address.toLowerCase() !== spokePool) return null
  const args = argsOf(log)
  if (args === null) return null
  const { destinationChainId, quoteTimestamp, ...relay } = args
  const destination = evmChainIds.find((chainId) => BigInt(chainId) === destinationChainId)
  if (destination === undefined) return null
  return {
    originChainId,
    destinationChainId: destination,
    quoteTimestamp,
    relay: { ...relay, originChainId: BigInt(originChainId) }
  }
}

const [relayDataParameter] = getAbiItem({ abi: spokePoolAbi, name: "fillRelay" }).inputs

/** Computes the key of the deposit's fill status in the destination chain's SpokePool. */
export const relayHashOf = ({ destinationChainId, relay }: Deposit): Hex =>
  keccak256(encodeAbiParameters([relayDataParameter, { type: "uint256" }], [relay, BigInt(destinationChainId)]))
