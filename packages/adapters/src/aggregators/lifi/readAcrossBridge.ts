import type { EvmChainId } from "@countersign/core/chains"
import { type Address, NATIVE_COIN } from "@countersign/core/primitives"
import type { OfferTerms } from "@countersign/core/swap"
import { decodeFunctionData, type Hex, slice, zeroAddress } from "viem"
import { addressFromHex } from "../../evm/index.ts"
import type { RouteReader } from "../RouteCall.ts"
import { fault, type RouteFault } from "../RouteFault.ts"
import { acrossFacetAbi } from "./abi.ts"

const decoded = (data: Hex) => {
  try {
    return decodeFunctionData({ abi: acrossFacetAbi, data }).args
  } catch {
    return null
  }
}

type Args = NonNullable<ReturnType<typeof decoded>>

const addressIn = (word: Hex): Address | null =>
  BigInt(slice(word, 0, 12)) === 0n ? addressFromHex(slice(word, 12)) : null

/** The parties and the times of a transfer to another chain that its calls have to name. */
export interface BridgeTerms extends Pick<OfferTerms, "sender" | "recipient" | "deadline"> {
  readonly chainIdOut: EvmChainId
}

const faultsOf = ([bridge, across]: Args, { chainIdOut, deadline, recipient, sender }: BridgeTerms) => {
  const faults: Array<RouteFault> = []
  if (bridge.destinationChainId !== BigInt(chainIdOut)) {
    faults.push(fault("CHAIN", `it leads to chain ${bridge.destinationChainId} and not to ${chainIdOut}`))
  }
  if (bridge.hasDestinationCall || across.message !== "0x") {
    faults.push(fault("DESTINATION_CALL", "it makes a call on the other chain"))
  }
  if (bridge.hasSourceSwaps) faults.push(fault("FUNCTION", "it says that it swaps before, and does not"))
  const received = addressIn(across.receiverAddress)
  if (received !== recipient) faults.push(fault("RECIPIENT", `Across would pay ${received} and not ${recipient}`))
  const refunded = addressIn(across.refundAddress)
  if (refunded !== sender) faults.push(fault("RECIPIENT", `a refund would go to ${refunded} and not to ${sender}`))
  const isCoin = bridge.sendingAssetId === zeroAddress
  if (!isCoin && addressIn(across.sendingAssetId) !== addressFromHex(bridge.sendingAssetId)) {
    faults.push(fault("TOKEN", `it bridges ${addressIn(across.sendingAssetId)} and takes ${bridge.sendingAssetId}`))
  }
  // What nobody may fill any more is paid back after hours.
  if (across.fillDeadline <= deadline) {
    faults.push(fault("DEADLINE", "nobody could fill it any more when it is executed"))
  }
  return faults
}

/**
 * Reads a transfer to another chain by LI.FI over Across. Its output is a floor: Across pays it, or everything back. Other
 * bridges, and swaps before, are not read: their calls don't say what arrives at least.
 */
export const readAcrossBridge =
  (terms: BridgeTerms): RouteReader =>
  (data) => {
    const args = decoded(data)
    if (args === null)
      return fault("FUNCTION", "its call is no transfer by Across, whose calls say what arrives at least")
    const [bridge, across] = args
    const isCoin = bridge.sendingAssetId === zeroAddress
    const tokenOut = addressIn(across.receivingAssetId)
    if (tokenOut === null) return fault("TOKEN", "it buys what is no token of an EVM chain")
    return {
      tokenIn: isCoin ? NATIVE_COIN : addressFromHex(bridge.sendingAssetId),
      amountIn: bridge.minAmount,
      tokenOut,
      recipient: addressFromHex(bridge.receiver),
      minAmountOut: across.outputAmount,
      faults: faultsOf(args, terms)
    }
  }
