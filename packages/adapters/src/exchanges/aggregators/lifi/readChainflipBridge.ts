import { isEvmAddress, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import type { OfferTerms } from "@countersign/core/trading/swap"
import { decodeFunctionData, type Hex, hexToString, zeroAddress } from "viem"
import { addressFromHex } from "../../../chains/evm/index.ts"
import type { RouteReader } from "../RouteCall.ts"
import { fault, type RouteFault } from "../RouteFault.ts"
import { chainflipFacetAbi } from "./abi.ts"
import { minAmountAtPrice, readChainflipParameters } from "./chainflipParameters.ts"
import { LIFI_BITCOIN } from "./LiFiApi.ts"

/** LI.FI's placeholder for a receiver on a non-EVM chain (LibAsset, `NON_EVM_ADDRESS`). */
const NON_EVM_ADDRESS = "0x11f111f111f111f111f111f111f111f111f111f1"
/** Chainflip's asset id of BTC. */
const BTC = 5

const decodeTransfer = (data: Hex) => {
  try {
    return decodeFunctionData({ abi: chainflipFacetAbi, data }).args
  } catch {
    return null
  }
}

type Args = NonNullable<ReturnType<typeof decodeTransfer>>

const faultsOf = (
  [bridge, chainflip]: Args,
  { recipient, sender }: Pick<OfferTerms, "recipient" | "sender">
): ReadonlyArray<RouteFault> => {
  const faults: Array<RouteFault> = []
  if (String(bridge.destinationChainId) !== LIFI_BITCOIN) {
    faults.push(fault("CHAIN", `its destination is chain ${bridge.destinationChainId} instead of Bitcoin`))
  }
  if (
    bridge.receiver.toLowerCase() !== NON_EVM_ADDRESS ||
    bridge.hasDestinationCall ||
    chainflip.dstCallSwapData.length > 0
  ) {
    faults.push(fault("DESTINATION_CALL", "it has a receiver or a call on an EVM chain"))
  }
  if (bridge.hasSourceSwaps) faults.push(fault("FUNCTION", "it declares a preceding swap but has none"))
  if (chainflip.dstToken !== BTC)
    faults.push(fault("TOKEN", `Chainflip would pay its asset ${chainflip.dstToken} instead of BTC`))
  const receiver = hexToString(chainflip.nonEVMReceiver)
  if (receiver !== recipient) faults.push(fault("RECIPIENT", `Chainflip would pay another address than ${recipient}`))
  if (!isEvmAddress(sender) || readChainflipParameters(chainflip.cfParameters, sender) === null) {
    faults.push(fault("RECIPIENT", "the refund address in Chainflip's parameters is not the wallet"))
  }
  return faults
}

/**
 * Creates a decoder for a transfer to Bitcoin by LI.FI over Chainflip. It reads the token, the amount, the receiver, and
 * Chainflip's minimum output before the payment cost on Bitcoin. Refunds must go to the wallet.
 */
export const readChainflipBridge =
  (terms: Pick<OfferTerms, "recipient" | "sender">): RouteReader =>
  (data) => {
    const args = decodeTransfer(data)
    if (args === null)
      return fault(
        "FUNCTION",
        "its call is not a transfer by Chainflip, and only calls of Chainflip contain the receiver"
      )
    const [bridge, chainflip] = args
    const parameters = isEvmAddress(terms.sender) ? readChainflipParameters(chainflip.cfParameters, terms.sender) : null
    const isNativeToken = bridge.sendingAssetId === zeroAddress
    return {
      tokenIn: isNativeToken ? NATIVE_TOKEN : addressFromHex(bridge.sendingAssetId),
      amountIn: bridge.minAmount,
      tokenOut: NATIVE_TOKEN,
      recipient: terms.recipient,
      minAmountOut: parameters === null ? null : minAmountAtPrice(bridge.minAmount, parameters.minPrice),
      faults: faultsOf(args, terms)
    }
  }
