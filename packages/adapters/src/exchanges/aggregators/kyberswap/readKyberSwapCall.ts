import { decodeFunctionData } from "viem"
import { addressFromHex } from "../../../chains/evm/index.ts"
import type { RouteReader } from "../RouteCall.ts"
import { fault, type RouteFault } from "../RouteFault.ts"
import { kyberSwapRouterAbi } from "./abi.ts"

/** Flag that reduces the minimum output in proportion to the sold amount. */
const PARTIAL_FILL = 0x01n
/** Flags that take more native tokens than are sold, or burn gas tokens of the caller or the sender. */
const FORBIDDEN_FLAGS = 0x02n | 0x08n | 0x10n

const decodeCall = (data: Parameters<RouteReader>[0]) => {
  try {
    const call = decodeFunctionData({ abi: kyberSwapRouterAbi, data })
    return call.functionName === "swap" ? call.args[0].desc : call.args[1]
  } catch {
    return null
  }
}

type Description = NonNullable<ReturnType<typeof decodeCall>>

const faultsOf = ({ amount, feeAmounts, feeReceivers, flags, permit, srcAmounts }: Description) => {
  const faults: Array<RouteFault> = []
  if ((flags & PARTIAL_FILL) !== 0n)
    faults.push(fault("PARTIAL_FILL", "it may sell only some of the amount and lower the minimum output"))
  if ((flags & FORBIDDEN_FLAGS) !== 0n) faults.push(fault("TAKES_MORE", `its flags (${flags}) allow it to take more`))
  if (permit !== "0x") faults.push(fault("PERMIT", "it contains a permit, which is an additional allowance"))
  if (feeReceivers.length > 0 || feeAmounts.length > 0) {
    faults.push(fault("FEE", `it pays a fee that was not requested to ${feeReceivers.join(", ")}`))
  }
  const movedAmount = srcAmounts.reduce((sum, each) => sum + each, 0n)
  if (movedAmount > amount) faults.push(fault("AMOUNT", `it transfers ${movedAmount} base units but sells ${amount}`))
  return faults
}

/** Decodes a call of KyberSwap's router. The calldata for its executors are opaque. */
export const readKyberSwapCall: RouteReader = (data) => {
  const description = decodeCall(data)
  if (description === null) return fault("FUNCTION", "its call is not a swap of the router")
  return {
    tokenIn: addressFromHex(description.srcToken),
    tokenOut: addressFromHex(description.dstToken),
    amountIn: description.amount,
    recipient: addressFromHex(description.dstReceiver),
    minAmountOut: description.minReturnAmount,
    faults: faultsOf(description)
  }
}
