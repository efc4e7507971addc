import { HexBytes, isEvmAddress, isNativeToken } from "@countersign/core/foundation/primitives"
import { type Call, transferCall } from "@countersign/core/operations/user-operations"
import type { OfferRequest, OfferTerms } from "@countersign/core/trading/swap"
import type { ChainDeployment } from "../../chains/deployments/index.ts"
import { wrappedNativeData } from "../../chains/evm/index.ts"

/** Whether a swap is between the native token and its wrapped token. Such a swap needs no pool. */
export const isWrapping = ({ tokenIn, tokenOut }: OfferRequest, { wrappedNative }: ChainDeployment): boolean =>
  (isNativeToken(tokenIn.address) && tokenOut.address === wrappedNative.address) ||
  (isNativeToken(tokenOut.address) && tokenIn.address === wrappedNative.address)

/** Wraps or unwraps at par. Forwards the result if the receiver is another address. */
export const wrappingCalls = (
  { wrappedNative }: ChainDeployment,
  route: OfferRequest,
  { recipient, sender }: OfferTerms
): ReadonlyArray<Call> => {
  if (!isEvmAddress(recipient)) throw new Error("The receiver on an EVM chain must be an EVM address")
  const isNativeIn = isNativeToken(route.tokenIn.address)
  const wrappingCall: Call = {
    to: wrappedNative.address,
    value: isNativeIn ? route.amountIn : 0n,
    data: HexBytes.make(
      isNativeIn ? wrappedNativeData("deposit", []) : wrappedNativeData("withdraw", [route.amountIn])
    ),
    summary: `${isNativeIn ? "Wrap" : "Unwrap"} ${route.tokenIn.symbol} into ${route.tokenOut.symbol}`
  }
  return recipient === sender ? [wrappingCall] : [wrappingCall, transferCall(route.tokenOut, recipient, route.amountIn)]
}
