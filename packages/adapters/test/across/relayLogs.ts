import { encodeAbiParameters, encodeEventTopics, type Hex, pad, parseAbiParameters, zeroAddress } from "viem"
import type { LogResponse } from "../../src/chains/evm/index.ts"
import { spokePoolAbi } from "../../src/exchanges/across/index.ts"

/** The fields that the events of a deposit and of its fill share. */
export interface Relay {
  readonly originChainId: number
  readonly destinationChainId: number
  readonly depositId: bigint
  readonly depositor: Hex
  readonly recipient: Hex
  readonly inputToken: Hex
  readonly outputToken: Hex
  readonly inputAmount: bigint
  readonly outputAmount: bigint
  readonly fillDeadline: number
}

const depositWords = parseAbiParameters(
  "bytes32, bytes32, uint256, uint256, uint32, uint32, uint32, bytes32, bytes32, bytes"
)
const fillWords = parseAbiParameters(
  "bytes32, bytes32, uint256, uint256, uint256, uint32, uint32, bytes32, bytes32, bytes32, bytes32, (bytes32, bytes32, uint256, uint8)"
)

export const depositData = (relay: Relay): Hex =>
  encodeAbiParameters(depositWords, [
    pad(relay.inputToken),
    pad(relay.outputToken),
    relay.inputAmount,
    relay.outputAmount,
    1_000,
    relay.fillDeadline,
    0,
    pad(relay.recipient),
    pad(zeroAddress),
    "0x"
  ])

export const logOf = (address: Hex, topics: ReadonlyArray<Hex>, data: Hex): LogResponse => ({
  address,
  topics: topics as LogResponse["topics"],
  data,
  blockNumber: "0x1",
  blockHash: pad("0x1"),
  transactionHash: pad("0x2"),
  logIndex: "0x0",
  blockTimestamp: "0x1"
})

/** Returns the log of a deposit without a message. */
export const depositLog = (spokePool: Hex, relay: Relay): LogResponse =>
  logOf(
    spokePool,
    encodeEventTopics({
      abi: spokePoolAbi,
      eventName: "FundsDeposited",
      args: {
        destinationChainId: BigInt(relay.destinationChainId),
        depositId: relay.depositId,
        depositor: pad(relay.depositor)
      }
    }) as Array<Hex>,
    depositData(relay)
  )

/** Returns the log of a fill with the terms of the deposit. */
export const fillLog = (spokePool: Hex, relay: Relay, relayer: Hex): LogResponse =>
  logOf(
    spokePool,
    encodeEventTopics({
      abi: spokePoolAbi,
      eventName: "FilledRelay",
      args: { originChainId: BigInt(relay.originChainId), depositId: relay.depositId, relayer: pad(relayer) }
    }) as Array<Hex>,
    encodeAbiParameters(fillWords, [
      pad(relay.inputToken),
      pad(relay.outputToken),
      relay.inputAmount,
      relay.outputAmount,
      BigInt(relay.destinationChainId),
      relay.fillDeadline,
      0,
      pad(zeroAddress),
      pad(relay.depositor),
      pad(relay.recipient),
      pad("0x"),
      [pad(relay.recipient), pad("0x"), relay.outputAmount, 0]
    ])
  )

export const refundLog = (spokePool: Hex, { depositor, inputAmount, inputToken, originChainId }: Relay): LogResponse =>
  logOf(
    spokePool,
    encodeEventTopics({
      abi: spokePoolAbi,
      eventName: "ExecutedRelayerRefundRoot",
      args: { chainId: BigInt(originChainId), rootBundleId: 1, leafId: 0 }
    }) as Array<Hex>,
    encodeAbiParameters(parseAbiParameters("uint256, uint256[], address, address[], bool, address"), [
      0n,
      [inputAmount],
      inputToken,
      [depositor],
      false,
      depositor
    ])
  )
